import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Removes a person as owner from the open and qualified leads of all companies of the account.
 * Spec: Leads › The customer and the owner; reading L5.
 */
export async function releaseLeads(
  tx: Transaction<DB>,
  now: Date,
  { accountId, personId }: { accountId: string; personId: string },
): Promise<void> {
  await tx
    .updateTable('lead')
    .set({ ownerId: null, updatedAt: now })
    .where('ownerId', '=', personId)
    .where('status', 'in', ['open', 'qualified'])
    .where('companyId', 'in', (eb) =>
      eb.selectFrom('company').select('id').where('accountId', '=', accountId),
    )
    .execute()
}
