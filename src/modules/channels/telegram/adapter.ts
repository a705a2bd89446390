import { createHash, timingSafeEqual } from 'node:crypto'
import { POLL_LIMITS, TYPING_LIMITS } from '../../../core/limits/messaging.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
import type { ChannelAdapter, ChannelCheck, FetchedMedia } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import {
  createProviderClient,
  type ProviderClient,
  type ProviderClientOptions,
} from '../provider/provider-client.ts'
import { readFields, readId, readProviderJson, readText } from '../provider/read-values.ts'
import { exchangeError } from '../provider/exchange-error.ts'
import { callBotApi, type TelegramConnection, fetchBotFile } from './call-bot-api.ts'
import { TELEGRAM_FORM, type TelegramCredentials } from './credentials.ts'
import { explainTelegramError, readTelegramError } from './errors.ts'
import { pollUpdates, deleteWebhook, ensureWebhook } from './poll.ts'
import { readUpdate, TAP_PREFIX } from './read-update.ts'
import { sendMessage } from './send.ts'
import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import type { MediaRef, ProviderError } from '../inbound.ts'
import { ANSWER_TOO_LARGE } from '../provider/http-exchange.ts'

/**
 * Downloads a customer's attachment. Its address is requested for each download, as it is valid for an hour. Bots
 * receive files of up to 20 MB.
 */
async function fetchMedia(
  client: ProviderClient,
  connection: TelegramConnection,
  { providerMediaId }: MediaRef,
  { maxBytes }: { maxBytes: number },
): Promise<FetchedMedia> {
  if (providerMediaId === undefined) return { outcome: 'lost', why: fact('file_gone') }
  const called = await callBotApi(client, connection, {
    method: 'getFile',
    body: { file_id: providerMediaId },
  })
  if (called.outcome !== 'ok') {
    const isTooBig = /file is too big/i.test(called.error.message)
    return isTooBig ? tooLarge(TELEGRAM_LIMITS.fetchedBytes) : refused(called.error)
  }
  const file = readFields(called.result)
  if (Number(readId(file.file_size) ?? 0) > maxBytes) return tooLarge(maxBytes)
  const path = readText(file.file_path)
  if (path === undefined) {
    return refused({ code: 'no_file_path', class: 'transient', message: '' })
  }
  const fetched = await fetchBotFile(client, connection, path, {
    deadlineMs: FILE_ENGINE.fetchMs,
    answerBytes: maxBytes,
  })
  if (fetched.outcome !== 'answered') {
    const isTooLarge = fetched.outcome === 'lost' && fetched.code === ANSWER_TOO_LARGE
    return isTooLarge ? tooLarge(maxBytes) : refused(exchangeError(fetched.outcome, fetched.code))
  }
  const { status, bytes, retryAfter } = fetched
  if (status === 200) return { outcome: 'fetched', bytes }
  const answer = readFields(readProviderJson(bytes.subarray(0, 4_096)))
  const error = readTelegramError(status, answer, retryAfter)
  // The address may have expired; a retry requests a new one.
  return refused(status === 404 ? { ...error, class: 'transient' } : error)
}

const refused = (error: ProviderError): FetchedMedia => ({ outcome: 'refused', error })
const tooLarge = (max: number): FetchedMedia => ({
  outcome: 'lost',
  why: fact('file_too_large', { max }),
})

/** The options of the adapter of Telegram. */
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
      parse: (body, { channel }) => [readUpdate(readProviderJson(body), channel?.route ?? '')],
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
        if (event.kind !== 'message' || !event.providerMessageId.startsWith(TAP_PREFIX)) continue
        const body = { callback_query_id: event.providerMessageId.slice(TAP_PREFIX.length) }
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
