import { sql, type Selectable, type Transaction } from 'kysely'
import type { ConversationSummary } from '../contract/webhook-data.ts'
import type { Conversation as ConversationTable, DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import type { ContactRow } from './contact.ts'

export type ConversationRow = Selectable<ConversationTable>

export function conversationSummary(
  conversation: Pick<ConversationRow, 'id' | 'channelId' | 'channelType'>,
): ConversationSummary {
  return {
    id: conversation.id,
    channelId: conversation.channelId,
    channelType: conversation.channelType,
  }
}

/**
 * Finds the customer's conversation on a channel, or writes one, of which nobody has been told yet. The
 * customer is locked by the caller. A conversation is filed under the id that was known when it
 * began, and never filed anew: a customer who comes back under another id finds it by their contact.
 *
 * Spec: Concepts › Identifiers.
 */
export async function findOrCreateConversation(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  input: {
    companyId: string
    channel: { id: string; type: string }
    contact: ContactRow
    filedUnder: string
  },
): Promise<ConversationRow> {
  const { channel, contact } = input
  const find = () =>
    tx
      .selectFrom('conversation')
      .selectAll()
      .where('channelId', '=', channel.id)
      .where(({ eb, or }) =>
        or([eb('contactId', '=', contact.id), eb('filedUnder', '=', input.filedUnder)]),
      )
      .orderBy((eb) => eb('filedUnder', '=', input.filedUnder), 'desc')
      .orderBy('createdAt')
      .limit(1)
      .forUpdate()
      .executeTakeFirst()
  const known = await find()
  if (known) return known
  // Two requests that know the customer by different ids hold different locks: the contact decides.
  await sql`select from contact where id = ${contact.id} for update`.execute(tx)
  const found = await find()
  if (found) return found
  return tx
    .insertInto('conversation')
    .values({
      id: `c_${deps.ids.uuid().replaceAll('-', '')}`,
      companyId: input.companyId,
      channelId: channel.id,
      channelType: channel.type,
      contactId: contact.id,
      filedUnder: input.filedUnder,
      createdAt: deps.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
