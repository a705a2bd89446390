import type { LoadedReply, TalkMessage } from './reply.ts'

/** The customer's messages that the reply is to answer, oldest first. */
export function pendingMessagesOf({ reply, talk }: LoadedReply): TalkMessage[] {
  const first = talk.find(({ id }) => id === reply.firstMessageId)
  return talk.filter(
    ({ direction, isOfRun, createdAt }) =>
      direction === 'in' && !isOfRun && (!first || createdAt >= first.createdAt),
  )
}
