import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** A lead that a merge has closed, and its status before. */
export type LostLead = { id: string; status: string }

/**
 * Moves a contact's leads to the contact into which it is merged, and returns the lead that the merge loses, or null.
 * If both have an open or qualified lead, the qualified one stays, because its event was sent, or else the newer one.
 * The other is lost without an event.
 *
 * Isolation: the caller has locked both contacts.
 * Spec: Contacts › Merging; reading L4.
 */
export async function mergeLeads(
  tx: Transaction<DB>,
  now: Date,
  { companyId, intoId, fromId }: { companyId: string; intoId: string; fromId: string },
): Promise<LostLead | null> {
  const { rows } = await sql<LostLead>`
    update lead set status = 'lost', lost_how = 'merge', closed_at = ${now}, updated_at = ${now}
    from (
      select id, status from lead
      where company_id = ${companyId} and contact_id in (${intoId}, ${fromId})
        and status in ('open', 'qualified')
      order by status = 'qualified' desc, created_at desc, id desc offset 1) lost
    where lead.id = lost.id
    returning lost.id, lost.status`.execute(tx)
  await sql`update lead set contact_id = ${intoId}
    where company_id = ${companyId} and contact_id = ${fromId}`.execute(tx)
  return rows[0] ?? null
}
