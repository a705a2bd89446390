import type { Outbound } from '../channels/channel-adapter.ts'
import { queueMessages, type ClaimedMessage } from '../messaging/queue-message.ts'
import type { ReplyContext } from './reply-context.ts'

export type PartToSay = {
  id: string
  /** From 0. */
  part: number
  text: string
  buttons: readonly { label: string; payload: string }[]
}

/** Queues a part of a reply: under its place it is sent once, whatever happens. */
export async function queuePart(
  { tx, deps, hand, now }: ReplyContext,
  { id, part, text, buttons }: PartToSay,
): Promise<readonly ClaimedMessage[]> {
  const { reply, channel, conversation } = hand
  const content: Outbound =
    buttons.length > 0 ? { kind: 'buttons', text, buttons: [...buttons] } : { kind: 'text', text }
  return queueMessages(tx, { now, eagerClaimFor: deps.eagerClaimFor }, [
    {
      id,
      companyId: reply.companyId,
      conversationId: conversation.id,
      channel,
      by: { kind: 'assistant', replyId: reply.id },
      key: `${reply.id}:${part}`,
      content,
      text,
      templateSend: null,
    },
  ])
}
