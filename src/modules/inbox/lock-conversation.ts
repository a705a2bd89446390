import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import type { ConversationRow } from '../messaging/conversation.ts'
import { ServiceError } from '../../core/service-error.ts'

/** The id of a conversation, with the company that must own it. */
export type OwnedConversation = { companyId: string; conversationId: string }

/**
 * Locks a company's conversation until the transaction ends, and returns it.
 * @throws not_found
 */
export async function lockConversation(
  tx: Transaction<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<ConversationRow> {
  const conversation = await tx
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', conversationId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  return conversation ?? refuseUnknownConversation()
}

/** Throws not_found for an unknown conversation. */
export function refuseUnknownConversation(): never {
  throw new ServiceError('not_found', fact('no_such_conversation'))
}
