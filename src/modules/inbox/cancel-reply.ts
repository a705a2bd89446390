import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { showLastMessages } from '../messaging/show-last-message.sql.ts'
import { ServiceError } from '../../core/service-error.ts'
import { lockConversation, type OwnedConversation } from './lock-conversation.ts'

/**
 * Cancels a message that its author wrote and that still waits to be sent.
 * @throws not_found; forbidden for a message of another author; conflict for one that no longer waits
 *
 * Spec: States › Sent message; Inbox › Lists; reading B3.
 */
export async function cancelReply(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { personId }: Actor,
  { messageId, ...owned }: OwnedConversation & { messageId: string },
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    await lockConversation(tx, owned)
    const message = await tx
      .selectFrom('message')
      .select(['status', 'authorId'])
      .where('id', '=', messageId)
      .where('conversationId', '=', owned.conversationId)
      .where('companyId', '=', owned.companyId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_message')))
    if (message.authorId !== personId) {
      throw new ServiceError('forbidden', fact('message_of_another'))
    }
    if (message.status === 'cancelled') return
    if (message.status !== 'queued') {
      throw new ServiceError('conflict', fact('message_not_queued', { status: message.status! }))
    }
    await tx
      .updateTable('message')
      .set({ status: 'cancelled', failedAt: now, dueAt: null, outbound: null })
      .set({ claimId: null, leaseExpiresAt: null })
      .where('id', '=', messageId)
      .where('companyId', '=', owned.companyId)
      .execute()
    const { companyId, conversationId } = owned
    await showLastMessages(tx, { companyId, conversationIds: [conversationId] })
    await restoreWaitingTime(tx, owned)
  })
}

/**
 * Restores the customer's waiting time after a reply was cancelled: since the first message that no other reply
 * answered. Broadcasts and notices do not count as replies.
 */
async function restoreWaitingTime(
  tx: Transaction<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<void> {
  await sql`
    update conversation set waiting_since = (
      select min(received.occurred_at) from message received
      where received.conversation_id = conversation.id and received.direction = 'in'
        and not received.is_imported
        and received.occurred_at > coalesce((select max(answer.occurred_at) from message answer
          where answer.conversation_id = conversation.id and answer.direction = 'out'
            and answer.sender not in ('broadcast', 'notice') and answer.status not in ('cancelled', 'failed')), '-infinity'))
    where id = ${conversationId} and company_id = ${companyId} and status = 'open'
      and handled_by = 'staff' and waiting_since is null`.execute(tx)
}
