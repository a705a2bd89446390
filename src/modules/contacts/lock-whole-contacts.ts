import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { lockContacts } from '../identity/lock-contacts.ts'
import { readIdentifiers } from '../identity/read-identifiers.sql.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'

/**
 * Locks contacts with all their identifiers and conversations until the transaction ends. Returns the conversations'
 * ids.
 *
 * Isolation: identifiers first, then conversations, then contacts, each in one order.
 */
export async function lockWholeContacts(
  tx: Transaction<DB>,
  companyId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  await lockCustomer(tx, companyId, await readIdentifiers(tx, companyId, contactIds))
  return lockContacts(tx, companyId, contactIds)
}
