import type { Context } from '../../infra/context.ts'
import { refuseUnknownConversation, type OwnedConversation } from './lock-conversation.ts'

/**
 * Marks a conversation as read by staff, for all members together: later messages of the customer are unread.
 * @throws not_found
 */
export async function markSeen(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, conversationId }: OwnedConversation,
): Promise<void> {
  const seen = await db.kysely
    .updateTable('conversation')
    .set({ staffSeenAt: clock.now() })
    .where('id', '=', conversationId)
    .where('companyId', '=', companyId)
    .returning('id')
    .executeTakeFirst()
  if (!seen) refuseUnknownConversation()
}
