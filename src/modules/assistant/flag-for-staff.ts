import { transitionConversations } from '../messaging/transition-conversations.ts'
import type { LoadedReply } from './reply.ts'
import { partsOf } from './step-data.ts'
import { firstAfterCovered } from './record-reply-outcome.sql.ts'
import type { ReplyContext } from './reply-context.ts'

/**
 * Leaves what the reply has not answered to staff, as if the assistant had been off when it came. Nothing is
 * handed over, and the customer is told nothing.
 *
 * Isolation: the conversation is locked by the caller.
 * Spec: Assistant › States of a reply; reading B2.
 */
export async function flagForStaff({ tx, deps, hand, now }: ReplyContext): Promise<void> {
  const { id: replyId, companyId, conversationId } = hand.reply
  const messageId = firstUnanswered(hand)
  if (messageId === null) return
  const message = await tx
    .selectFrom('message')
    .select('occurredAt')
    .where('id', '=', messageId)
    .executeTakeFirst()
  const change = { kind: 'need_staff', since: message?.occurredAt ?? now } as const
  await transitionConversations(tx, { ids: deps.ids, now }, [
    { companyId, conversationId, by: { kind: 'assistant', replyId }, change },
  ])
}

/** The oldest of the customer's messages that has no answer of this reply; null: each has one. */
function firstUnanswered({ reply, sent }: LoadedReply) {
  const { texts } = partsOf(reply)
  const gone = sent.filter(({ status }) => !UNSENT.includes(status)).length
  if (gone === 0 || gone < texts.length) return reply.firstMessageId
  return reply.lastMessageId === reply.answeredMessageId ? null : firstAfterCovered(reply)
}

/** What is queued is refused once the reply has ended, and nothing is tried again. */
const UNSENT: readonly string[] = ['queued', 'failed', 'cancelled']
