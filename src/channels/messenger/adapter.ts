/** Spec: Channels › Messenger. */
import { z } from 'zod'
import { TYPING_LIMITS } from '../../limits/messaging.ts'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
import type { ChannelAdapter, CredentialsForm } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import { checkSender } from '../meta/check-sender.ts'
import { fetchAttachment } from '../meta/fetch-attachment.ts'
import { fetchProfile } from '../meta/fetch-profile.ts'
import {
  metaSecrets,
  META_SECRET_USES,
  providerId,
  type MetaCredentials,
} from '../meta/form-fields.ts'
import { metaWebhook } from '../meta/meta-webhook.ts'
import type { MessagingConnection } from '../meta/messaging-connection.ts'
import { explainMessagingError, judgeMessagingCode } from '../meta/messaging-errors.ts'
import { peekPages } from '../meta/peek-pages.ts'
import { parseMessaging } from '../meta/read-messaging.ts'
import { sendMessaging } from '../meta/send-messaging.ts'
import { showMessagingTyping } from '../meta/show-messaging-typing.ts'
import { createProviderClient, type ProviderClientOptions } from '../provider/provider-client.ts'

export type MessengerOptions = ProviderClientOptions & {
  baseUrls: BaseUrlsOf<'messenger'>
  /** e.g. `v25.0`. */
  apiVersion: string
}

const FORM = {
  fields: z.strictObject({ pageId: providerId, ...metaSecrets }),
  secrets: META_SECRET_USES,
} as const satisfies CredentialsForm

/** Messages of a Facebook page. */
export function createMessengerAdapter({
  baseUrls,
  apiVersion,
  ...options
}: MessengerOptions): ChannelAdapter<MetaCredentials> {
  const client = createProviderClient(options)
  // What is shown beside takes no connection from what is sent.
  const beside = createProviderClient({ ...options, connections: TYPING_LIMITS.atOnce })

  /** @throws provider_failed when the channel is simulated and the simulator is not running. */
  function connectionOf(channel: ChannelAccess<MetaCredentials>): MessagingConnection {
    return {
      baseUrl: baseUrlOf(baseUrls, 'messenger', channel),
      apiVersion,
      accessToken: channel.credentials.accessToken,
      judgeCode: judgeMessagingCode,
      sender: channel.route,
      platform: null,
      repeatsReferences: true,
    }
  }

  return {
    type: 'messenger',
    form: FORM,
    // A page is its own account: what befalls it names no other.
    identify: ({ pageId = '' }) => {
      return { route: pageId, account: pageId, displayNumber: null, settings: {}, country: null }
    },
    openFields: ({ route }) => ({ pageId: route }),
    webhook: metaWebhook({
      namesIn: peekPages,
      parse: (body, context) => parseMessaging(body, { object: 'page' }, context),
    }),
    send: async (channel, to, message, about) =>
      sendMessaging(client, connectionOf(channel), to, message, about),
    typing: {
      everyMs: TYPING_LIMITS.messagingEveryMs,
      show: async (channel, to) => showMessagingTyping(beside, connectionOf(channel), to),
    },
    fetchMedia: async (channel, media, limits) =>
      fetchAttachment(client, connectionOf(channel), media, limits),
    fetchProfile: async (channel, customer) =>
      fetchProfile(client, connectionOf(channel), customer, 'first_name,last_name'),
    check: async (channel) =>
      checkSender(client, connectionOf(channel), {
        id: channel.route,
        path: 'me',
        fields: 'id,name',
        idsIn: ({ id }) => [id],
      }),
    explain: (error) => explainMessagingError('messenger', error),
    async close() {
      await Promise.all([client.close(), beside.close()])
    },
  }
}
