import { createHash, timingSafeEqual } from 'node:crypto'
import { POLL_LIMITS, TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
import type { ChannelAdapter, ChannelCheck } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import {
  createProviderClient,
  type ProviderClient,
  type ProviderClientOptions,
} from '../provider/provider-client.ts'
import { readFields, readId, readJson, readText } from '../provider/read-values.ts'
import { callBotApi, type TelegramConnection } from './call-bot-api.ts'
import { TELEGRAM_FORM, type TelegramCredentials } from './credentials.ts'
import { explainTelegramError } from './errors.ts'
import { fetchMedia } from './fetch-media.ts'
import { pollUpdates, deleteWebhook, ensureWebhook } from './poll.ts'
import { readUpdate, TAP } from './read-update.ts'
import { sendMessage } from './send.ts'

export type TelegramOptions = ProviderClientOptions & {
  baseUrls: BaseUrlsOf<'telegram'>
}

const SECRET = 'x-telegram-bot-api-secret-token'

/** Creates the adapter of Telegram's Bot API over HTTP, polled or by webhook. Spec: Channels › Telegram. */
export function createTelegramAdapter({
  baseUrls,
  ...options
}: TelegramOptions): ChannelAdapter<TelegramCredentials> {
  const client = createProviderClient(options)
  // Polls and typing indicators have separate connections, so that they never delay a send.
  const pollClient = createProviderClient({ ...options, connections: POLL_LIMITS.maxConcurrent })
  const typingClient = createProviderClient({
    ...options,
    connections: TYPING_LIMITS.maxConcurrent,
  })

  /** @throws provider_failed when the channel is simulated and the simulator is not running. */
  function connectionOf(channel: ChannelAccess<TelegramCredentials>): TelegramConnection {
    const { botToken } = channel.credentials
    return { baseUrl: baseUrlOf(baseUrls, 'telegram', channel), botToken }
  }

  return {
    type: 'telegram',
    // Chats, messages and updates are numbered per bot.
    isOfOneRoute: true,
    form: TELEGRAM_FORM,
    identify: ({ botToken = '', delivery = 'polling' }) => ({
      route: botToken.split(':', 1)[0]!,
      account: null,
      displayNumber: null,
      settings: { delivery },
      country: null,
    }),
    openFields: ({ settings }) => ({ delivery: settings.delivery ?? 'polling' }),

    webhook: {
      mayBeGenuine({ [SECRET]: header }) {
        return typeof header === 'string' && header.length <= TELEGRAM_LIMITS.webhookSecretChars
      },
      signerOf: ({ webhookSecret }) => webhookSecret,
      *isSignedBy({ headers }, secret) {
        yield 0
        // Digests of equal length, so that the comparison takes constant time.
        const [given, wanted] = [String(headers[SECRET]), secret].map(digest)
        return secret !== '' && timingSafeEqual(given!, wanted!)
      },
      parse: (body, { channel }) => [readUpdate(readJson(body), channel?.route ?? '')],
    },
    poll: async (channel, about) =>
      channel.settings.delivery === 'webhook'
        ? ensureWebhook(client, connectionOf(channel), channel, about)
        : pollUpdates(pollClient, connectionOf(channel), channel, about),
    async deleteWebhook(channel, webhookUrl) {
      if (channel.settings.delivery !== 'webhook') return
      await deleteWebhook(client, connectionOf(channel), webhookUrl)
    },
    async acknowledge(channel, events) {
      // The tapped button shows a progress indicator until it is answered.
      for (const event of events) {
        if (event.kind !== 'message' || !event.providerMessageId.startsWith(TAP)) continue
        const body = { callback_query_id: event.providerMessageId.slice(TAP.length) }
        await callBotApi(client, connectionOf(channel), { method: 'answerCallbackQuery', body })
      }
    },

    send: async (channel, to, message, { file }) =>
      sendMessage(client, connectionOf(channel), to, message, file),
    typing: {
      everyMs: TYPING_LIMITS.telegramEveryMs,
      show: async (channel, { customer, signal }) =>
        callBotApi(typingClient, connectionOf(channel), {
          method: 'sendChatAction',
          body: { chat_id: customer.providerUserId, action: 'typing' },
          deadlineMs: TYPING_LIMITS.answerMs,
          signal,
        }),
    },
    fetchMedia: async (channel, media, limits) =>
      fetchMedia(client, connectionOf(channel), media, limits),
    check: async (channel) => check(client, connectionOf(channel), channel.route),
    explain: explainTelegramError,
    async close() {
      await Promise.all([client, pollClient, typingClient].map((one) => one.close()))
    },
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

async function check(
  client: ProviderClient,
  connection: TelegramConnection,
  route: string,
): Promise<ChannelCheck> {
  const called = await callBotApi(client, connection, { method: 'getMe' })
  if (called.outcome !== 'ok') return { ok: false, error: called.error }
  const bot = readFields(called.result)
  const id = readId(bot.id)
  if (id !== route) {
    return { ok: false, error: { code: 'another_bot', class: 'auth', message: id ?? '' } }
  }
  const [name, username] = [readText(bot.first_name), readText(bot.username)]
  const label = [name, username && `@${username}`].filter((word) => word !== undefined)
  return { ok: true, label: label.length === 0 ? route : label.join(', ') }
}
