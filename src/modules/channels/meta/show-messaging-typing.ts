import { TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { TypingTarget } from '../shows-typing.ts'
import { callGraph } from './call-graph.ts'
import type { MessagingConnection } from './messaging-connection.ts'

/**
 * Shows the typing indicator of Messenger or Instagram for a while, or until a message is sent. Does not mark the
 * message as read.
 */
export async function showMessagingTyping(
  client: ProviderClient,
  connection: MessagingConnection,
  { customer, signal }: TypingTarget,
): Promise<void> {
  await callGraph(client, connection, {
    path: [connection.sender, 'messages'],
    body: { recipient: { id: customer.providerUserId }, sender_action: 'typing_on' },
    deadlineMs: TYPING_LIMITS.answerMs,
    signal,
  })
}
