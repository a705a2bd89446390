import type { LoadedReply, ConversationMessage } from './reply.ts'

/** Returns the customer's messages that the reply answers, oldest first. */
export function pendingMessagesOf({ reply, talk }: LoadedReply): ConversationMessage[] {
  const first = talk.find(({ id }) => id === reply.firstMessageId)
  return talk.filter(
    ({ direction, isOfRun, createdAt }) =>
      direction === 'in' && !isOfRun && (!first || createdAt >= first.createdAt),
  )
}
