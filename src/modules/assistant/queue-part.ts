import type { Outbound } from '../channels/channel-adapter.ts'
import { queueMessages, type ClaimedMessage } from '../messaging/queue-message.ts'
import type { ReplyContext } from './reply-context.ts'

/** A part of a reply: one message to the customer. */
export type ReplyPart = {
  id: string
  /** The number of the part, from 0. */
  part: number
  text: string
  buttons: readonly { label: string; payload: string }[]
}

/** Queues a part of a reply, with an idempotency key of its number. */
export async function queuePart(
  { tx, deps, loaded, now }: ReplyContext,
  { id, part, text, buttons }: ReplyPart,
): Promise<readonly ClaimedMessage[]> {
  const { reply, channel, conversation } = loaded
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
