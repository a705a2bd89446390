import { TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import { countryOfNumber } from '../../../rules/messaging/country-of-number.ts'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
import type { ChannelAdapter } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { WhatsAppConnection } from './connection.ts'
import { checkConnection } from './check-connection.ts'
import { checkSubscription } from './check-subscription.ts'
import { WHATSAPP_FORM } from './credentials.ts'
import { explainError, classifyCode } from './errors.ts'
import { fetchMedia } from './fetch-media.ts'
import type { MetaCredentials } from '../meta/form-fields.ts'
import { metaWebhook } from '../meta/meta-webhook.ts'
import { createProviderClient, type ProviderClientOptions } from '../provider/provider-client.ts'
import { listTemplates } from './list-templates.ts'
import { parseWhatsAppWebhook } from './parse.ts'
import { peekRoutes } from './peek-routes.ts'
import { sendMessage } from './send.ts'
import { showTyping } from './show-typing.ts'

/** The options of the adapter. */
export type WhatsAppOptions = ProviderClientOptions & {
  baseUrls: BaseUrlsOf<'whatsApp'>
  /** The version of the Graph API, e.g. `v25.0`. */
  apiVersion: string
}

/** The adapter of WhatsApp. */
export type WhatsAppAdapter = ChannelAdapter<MetaCredentials> &
  Required<Pick<ChannelAdapter<MetaCredentials>, 'listTemplates'>>

/** Creates the adapter of WhatsApp's Cloud API. */
export function createWhatsAppAdapter({
  baseUrls,
  apiVersion,
  ...options
}: WhatsAppOptions): WhatsAppAdapter {
  const client = createProviderClient(options)
  // Typing indicators have separate connections, so that they never delay a send.
  const typingClient = createProviderClient({
    ...options,
    connections: TYPING_LIMITS.maxConcurrent,
  })

  /** @throws provider_failed when the channel is simulated and the simulator is not running. */
  function connectionOf(channel: ChannelAccess<MetaCredentials>): WhatsAppConnection {
    return {
      baseUrl: baseUrlOf(baseUrls, 'whatsApp', channel),
      apiVersion,
      phoneNumberId: channel.route,
      businessAccountId: channel.account ?? '',
      accessToken: channel.credentials.accessToken,
      classifyCode,
    }
  }

  return {
    type: 'whatsapp',
    form: WHATSAPP_FORM,
    identify({ phoneNumberId = '', businessAccountId = '', displayNumber = '' }) {
      const country = countryOfNumber(displayNumber)
      const settings = {}
      return { route: phoneNumberId, account: businessAccountId, displayNumber, settings, country }
    },
    openFields: ({ route, account, displayNumber }) => ({
      phoneNumberId: route,
      businessAccountId: account,
      displayNumber,
    }),

    webhook: metaWebhook({ namesIn: peekRoutes, parse: parseWhatsAppWebhook }),

    send: async (channel, to, message, about) =>
      sendMessage(client, connectionOf(channel), to, message, about),
    typing: {
      everyMs: TYPING_LIMITS.whatsAppEveryMs,
      show: async (channel, to) => showTyping(typingClient, connectionOf(channel), to),
    },
    fetchMedia: async (channel, media, limits) =>
      fetchMedia(client, connectionOf(channel), media, limits),
    listTemplates: async (channel, after) => listTemplates(client, connectionOf(channel), after),
    checksSigner: true,
    check: async (channel) =>
      checkConnection(client, connectionOf(channel), channel.credentials.appSecret),
    checkPosts: async (channel, url) => checkSubscription(client, connectionOf(channel), url),
    explain: explainError,
    async close() {
      await Promise.all([client.close(), typingClient.close()])
    },
  }
}
