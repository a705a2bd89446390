import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'

/**
 * Gives a contact's leads to the one that it becomes part of. Where both have one that is open or qualified,
 * a qualified one goes on, as others know of it, else the newer one; the other is lost by the merge, in silence.
 *
 * Isolation: both contacts are locked by the caller.
 * Spec: Contacts › Merging; reading L4.
 */
export async function mergeLeads(
  tx: Transaction<DB>,
  now: Date,
  { companyId, intoId, fromId }: { companyId: string; intoId: string; fromId: string },
): Promise<void> {
  await sql`
    update lead set status = 'lost', lost_how = 'merge', closed_at = ${now}, updated_at = ${now}
    where id in (
      select id from lead
      where company_id = ${companyId} and contact_id in (${intoId}, ${fromId})
        and status in ('open', 'qualified')
      order by status = 'qualified' desc, created_at desc, id desc offset 1)`.execute(tx)
  await sql`update lead set contact_id = ${intoId}
    where company_id = ${companyId} and contact_id = ${fromId}`.execute(tx)
}
