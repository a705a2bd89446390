import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'

/**
 * Locks contacts and all their conversations until the transaction ends. Returns the conversations' ids.
 *
 * Isolation: conversations first, then contacts, each in one order, after the identifiers, which are locked by the caller.
 * A run that is taken on holds its conversation, and waits for the contact that its message is for.
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
  // For a deletion: nothing of theirs is written meanwhile.
  await sql`select from contact where id = any(${contactIds}::uuid[]) order by id for update`.execute(
    tx,
  )
  return ids
}
