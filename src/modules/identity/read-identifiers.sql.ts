import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { CustomerLock } from '../messaging/lock-customer.ts'

/** Loads the identifiers that find contacts, in the form in which they are locked. */
export async function readIdentifiers(
  tx: Transaction<DB>,
  companyId: string,
  contactIds: readonly string[],
): Promise<CustomerLock[]> {
  const { rows } = await sql<CustomerLock>`
    select kind, key from identity join identifier on identifier.identity_id = identity.id
    where identity.contact_id = any(${contactIds}::uuid[]) and identity.company_id = ${companyId}
      and identifier.state <> 'left'`.execute(tx)
  return rows
}
