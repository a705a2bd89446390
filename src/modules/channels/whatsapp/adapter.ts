import { TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import { countryOfNumber } from '../../../rules/messaging/country-of-number.ts'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
import type {
  ChannelAdapter,
  CredentialsForm,
  ChannelCheck,
  PostsCheck,
} from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { WhatsAppConnection } from './connection.ts'
import { explainWhatsAppError, classifyWhatsAppCode } from './errors.ts'
import { fetchMedia } from './fetch-media.ts'
import {
  type MetaCredentials,
  metaSecrets,
  META_SECRET_USES,
  providerId,
} from '../meta/form-fields.ts'
import { metaWebhook } from '../meta/meta-webhook.ts'
import {
  createProviderClient,
  type ProviderClientOptions,
  type ProviderClient,
} from '../provider/provider-client.ts'
import { listTemplates } from './list-templates.ts'
import { parseWhatsAppWebhook } from './parse.ts'
import { sendMessage } from './send.ts'
import { field, object, peekNames } from '../provider/peek-names.ts'
import { ruleCode } from '../../../schemas/broken-rule.ts'
import { z } from 'zod'
import { callGraph, explainFailure } from '../meta/call-graph.ts'
import type { TypingTarget } from '../typing-indicator.ts'
import { checkAppSecret } from '../meta/check-app-secret.ts'
import { readFields, readProviderJson, readText, type Fields } from '../provider/read-values.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'

/**
 * Checks which apps receive the webhooks of the business account. Without one, Meta posts nothing. An app may use
 * another address (`override_callback_uri`): if all do and none is this service's, nothing arrives.
 */
async function checkSubscription(
  client: ProviderClient,
  connection: WhatsAppConnection,
  webhookUrl: string,
): Promise<PostsCheck> {
  const result = await callGraph(client, connection, {
    path: [connection.businessAccountId, 'subscribed_apps'],
  })
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const { data } = isAnswer ? readFields(readProviderJson(result.body)) : ({} as Fields)
  if (!Array.isArray(data)) {
    const { code, message } = explainFailure(result, connection)
    const said = { said: message, providerCode: code }
    return refused(code, fact('whatsapp_subscription_unknown', said))
  }
  if (data.length === 0) return refused('not_subscribed', fact('whatsapp_not_subscribed'))
  const overrides = data.map((app) => readText(readFields(app).override_callback_uri) ?? null)
  if (overrides.some((url) => url === null || url === webhookUrl)) return { ok: true }
  const origin = URL.parse(overrides[0]!)?.origin ?? '?'
  return refused('posts_elsewhere', fact('whatsapp_posts_elsewhere', { origin, url: webhookUrl }))
}

function refused(code: string, why: Fact): PostsCheck {
  return { ok: false, error: { code, class: 'other', message: '', why } }
}

/** Checks ids, token and permission by requesting the number itself, and then the app secret. */
export async function checkConnection(
  client: ProviderClient,
  connection: WhatsAppConnection,
  appSecret: string,
): Promise<ChannelCheck> {
  const result = await callGraph(client, connection, {
    path: [connection.phoneNumberId],
    query: { fields: 'verified_name,display_phone_number' },
  })
  const fields = result.outcome === 'answered' ? readFields(readProviderJson(result.body)) : {}
  const isNumber =
    result.outcome === 'answered' && result.status < 300 && readText(fields.id) !== undefined
  if (!isNumber) {
    return { ok: false, error: explainFailure(result, connection) }
  }
  const wrong = await checkAppSecret(client, connection, {
    path: connection.phoneNumberId,
    appSecret,
  })
  if (wrong) return { ok: false, error: wrong }
  const number = readText(fields.display_phone_number)
  const name = readText(fields.verified_name)
  const label = [name, number].filter((word) => word !== undefined).join(', ')
  return { ok: true, label: label === '' ? connection.phoneNumberId : label }
}

/** Shows the typing indicator for 25 s, or until a message is sent. WhatsApp also marks the message as read. */
async function showTyping(
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

const WHATSAPP_FORM = {
  fields: z.strictObject({
    phoneNumberId: providerId,
    businessAccountId: providerId,
    displayNumber: z.string().regex(/^[1-9][0-9]{4,14}$/, ruleCode('wrong_phone_digits')),
    ...metaSecrets,
  }),
  secrets: META_SECRET_USES,
} as const satisfies CredentialsForm

const VALUE = object(
  field('metadata', object(field('phone_number_id', { names: 'routes' }))),
  field('waba_info', object(field('waba_id', { names: 'accounts' }))),
)
const ENTRY = object(
  field('id', { names: 'accounts' }),
  field('changes', object(field('value', VALUE))),
)
const ROOT = object(field('entry', ENTRY))

/** Returns the numbers and accounts that a webhook names. */
export const peekRoutes = (body: Uint8Array) => peekNames(ROOT, body)

/** The options of the adapter of WhatsApp. */
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
      classifyCode: classifyWhatsAppCode,
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
    explain: explainWhatsAppError,
    async close() {
      await Promise.all([client.close(), typingClient.close()])
    },
  }
}
