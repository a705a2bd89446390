import { TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import { callGraph } from '../meta/call-graph.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { TypingTarget } from '../shows-typing.ts'
import type { WhatsAppConnection } from './connection.ts'

/** Shows the typing indicator for 25 s, or until a message is sent. WhatsApp also marks the message as read. */
export async function showTyping(
  client: ProviderClient,
  connection: WhatsAppConnection,
  { providerMessageId, signal }: TypingTarget,
): Promise<void> {
  await callGraph(client, connection, {
    path: [connection.phoneNumberId, 'messages'],
    body: {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: providerMessageId,
      typing_indicator: { type: 'text' },
    },
    deadlineMs: TYPING_LIMITS.answerMs,
    signal,
  })
}
