import type { Context } from '../../infra/context.ts'
import { refuseUnknown, type OwnedConversation } from './lock-conversation.ts'

/**
 * Marks all messages of the customer in a conversation as read by staff. The mark is shared by all members.
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
  if (!seen) refuseUnknown()
}
