import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'

/**
 * Locks contacts and all their conversations until the transaction ends. Returns the conversations' ids.
 *
 * Isolation: the caller has locked the identifiers; then conversations, then contacts, each in id order. The advance of a
 * run uses this order too: it has locked its conversation when it waits for a contact.
 */
export async function lockContacts(
  tx: Transaction<DB>,
  companyId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const conversations = await tx
    .selectFrom('conversation')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', '=', (eb) => eb.fn.any(eb.val([...contactIds])))
    .execute()
  const ids = conversations.map(({ id }) => id)
  await lockConversations(tx, { ids, customers: [] })
  // `for update` suits a later deletion: no row that refers to the contact can be written meanwhile.
  await sql`select from contact where id = any(${contactIds}::uuid[]) order by id for update`.execute(
    tx,
  )
  return ids
}
