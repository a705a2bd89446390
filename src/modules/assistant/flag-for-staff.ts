import { transitionConversations } from '../messaging/transition-conversations.ts'
import type { LoadedReply } from './reply.ts'
import { readParts } from './step-data.ts'
import { firstMessageAfterAnswered } from './record-reply-outcome.sql.ts'
import type { ReplyContext } from './reply-context.ts'

/**
 * Flags the conversation for staff when the reply left messages unanswered, as if the assistant had been off. There
 * is no handover, and the customer gets no message.
 *
 * Isolation: the caller has locked the conversation.
 * Spec: Assistant › States of a reply; reading B2.
 */
export async function flagForStaff({ tx, deps, loaded, now }: ReplyContext): Promise<void> {
  const { id: replyId, companyId, conversationId } = loaded.reply
  const messageId = firstUnanswered(loaded)
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

/** Returns the oldest message that this reply has not answered, or null. */
function firstUnanswered({ reply, sent }: LoadedReply) {
  const { texts } = readParts(reply)
  const gone = sent.filter(({ status }) => !UNSENT.includes(status)).length
  if (gone === 0 || gone < texts.length) return reply.firstMessageId
  return reply.lastMessageId === reply.answeredMessageId ? null : firstMessageAfterAnswered(reply)
}

/** Statuses of messages that will not go out once the reply has ended. */
const UNSENT: readonly string[] = ['queued', 'failed', 'cancelled']
