import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Moves broadcast recipients to the remaining contact. When both are recipients of one broadcast, the one that was
 * written to stays, and the other loses its contact and is skipped if it is still unsent.
 * Spec: Contacts › Merging; reading R4.
 */
export async function moveRecipients(
  tx: Transaction<DB>,
  { companyId, intoId, fromId }: { companyId: string; intoId: string; fromId: string },
): Promise<void> {
  await sql`
    update broadcast_recipient set contact_id = null,
      skip_reason = case when broadcast_recipient.message_id is null
        then coalesce(skip_reason, 'same_number') end
    from (
      select mine.broadcast_id,
        case when mine.message_id is null and other.message_id is not null
          then mine.number else other.number end as number
      from broadcast_recipient mine join broadcast_recipient other using (broadcast_id)
      where mine.contact_id = ${intoId} and other.contact_id = ${fromId}
        and mine.company_id = ${companyId} and other.company_id = ${companyId}
    ) double
    where broadcast_recipient.broadcast_id = double.broadcast_id
      and broadcast_recipient.number = double.number`.execute(tx)
  await sql`update broadcast_recipient set contact_id = ${intoId}
    where contact_id = ${fromId} and company_id = ${companyId}`.execute(tx)
  await sql`
    with moved as (
      delete from marketing_stop where contact_id = ${fromId} and company_id = ${companyId}
      returning channel_id, company_id, at
    )
    insert into marketing_stop (contact_id, channel_id, company_id, at)
    select ${intoId}, channel_id, company_id, at from moved on conflict do nothing`.execute(tx)
}
