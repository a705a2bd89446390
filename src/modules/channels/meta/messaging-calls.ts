import { TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ChannelAdapter } from '../channel-adapter.ts'
import { createProviderClient, type ProviderClientOptions } from '../provider/provider-client.ts'
import { checkSender } from './check-sender.ts'
import { fetchAttachment } from './fetch-attachment.ts'
import { fetchProfile } from './fetch-profile.ts'
import type { MetaCredentials } from './form-fields.ts'
import type { MessagingConnection } from './messaging-connection.ts'
import { sendMessaging } from './send-messaging.ts'
import { showMessagingTyping } from './show-messaging-typing.ts'

type Channel = ChannelAccess<MetaCredentials>

type About = {
  /** @throws provider_failed when the channel is simulated and the simulator is not running. */
  connectionOf(channel: Channel): MessagingConnection
  /** The profile fields to request. */
  profileFields: string
  /** Returns how to check who the credentials belong to. */
  senderOf(channel: Channel): Parameters<typeof checkSender>[2]
}

/** Returns the provider calls of an adapter for Meta's messaging API. */
export function createMessagingCalls(
  options: ProviderClientOptions,
  { connectionOf, profileFields, senderOf }: About,
) {
  const client = createProviderClient(options)
  // Typing indicators have separate connections, so that they never delay a send.
  const typingClient = createProviderClient({
    ...options,
    connections: TYPING_LIMITS.maxConcurrent,
  })
  return {
    send: async (channel, to, message, about) =>
      sendMessaging(client, connectionOf(channel), to, message, about),
    typing: {
      everyMs: TYPING_LIMITS.messagingEveryMs,
      show: async (channel, to) => showMessagingTyping(typingClient, connectionOf(channel), to),
    },
    fetchMedia: async (channel, media, limits) =>
      fetchAttachment(client, connectionOf(channel), media, limits),
    fetchProfile: async (channel, customer) =>
      fetchProfile(client, connectionOf(channel), customer, profileFields),
    checksSigner: true,
    check: async (channel) => checkSender(client, connectionOf(channel), senderOf(channel)),
    async close() {
      await Promise.all([client.close(), typingClient.close()])
    },
  } satisfies Partial<ChannelAdapter<MetaCredentials>>
}
