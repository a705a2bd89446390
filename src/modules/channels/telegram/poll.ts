import { createHash } from 'node:crypto'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { POLL_LIMITS, PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import { ProviderRefused, type PollOutcome, type PollOptions } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ProviderEvent } from '../inbound.ts'
import { ANSWER_TOO_LARGE } from '../provider/http-exchange.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readList, readSeconds, readText } from '../provider/read-values.ts'
import { callBotApi, type BotApiResult, type TelegramConnection } from './call-bot-api.ts'
import type { TelegramCredentials } from './credentials.ts'
import { isWebhookOn } from './errors.ts'
import { readUpdate, readUpdateId } from './read-update.ts'

/** The kinds of updates that this service requests from Telegram. */
export const ALLOWED_UPDATES = ['message', 'callback_query', 'my_chat_member']

// Names of stored state.
const OFFSET = 'offset'
const WEBHOOK = 'webhook'

/**
 * Requests the next updates of a bot with one long poll, and returns them as events with the offset to store. Telegram
 * deletes an update when a higher offset is requested, which happens only after the update was ingested and the offset
 * stored. An update that is too large to read is skipped, because it would block all later ones. If Telegram refuses because a webhook is set, the webhook is deleted.
 */
export async function pollUpdates(
  client: ProviderClient,
  connection: TelegramConnection,
  { route }: ChannelAccess<TelegramCredentials>,
  { recall, waitMs, signal, receivedAt }: PollOptions,
): Promise<PollOutcome> {
  const offset = readOffset((await recall([OFFSET])).get(OFFSET), receivedAt)
  const getUpdates = (limit: number, withinMs: number) =>
    callBotApi(client, connection, {
      method: 'getUpdates',
      body: {
        ...(offset === null ? {} : { offset }),
        limit,
        timeout: Math.floor(withinMs / 1_000),
        allowed_updates: ALLOWED_UPDATES,
      },
      deadlineMs: withinMs + TELEGRAM_LIMITS.requestMs,
      answerBytes: PROVIDER_LIMITS.listBytes,
      signal,
    })
  const batch = await getUpdates(TELEGRAM_LIMITS.updatesPerRequest, waitMs)
  // The same updates would be returned each time; a single one usually fits.
  const called = isTooLarge(batch) ? await getUpdates(1, 0) : batch
  const skipped = isTooLarge(called) ? readFirstUpdateId(called.head) : null
  if (skipped !== null) {
    const why = `update ${skipped} is over ${PROVIDER_LIMITS.listBytes} bytes: skipped`
    return polledUpTo(skipped, [{ kind: 'ignored', why }], receivedAt)
  }
  if (called.outcome !== 'ok') {
    if (called.outcome === 'refused' && isWebhookOn(called.error)) {
      return endWebhook(client, connection, signal)
    }
    return { outcome: 'refused', error: called.error }
  }
  const updates = readList(called.result)
  const last = updates.reduce<number>(
    (maxId, update) => Math.max(maxId, readUpdateId(update) ?? -1),
    -1,
  )
  const events = updates.map((update) => readUpdate(update, route))
  return polledUpTo(last, events, receivedAt)
}

/** Returns the result of a poll that ended with an update of this number; -1 without updates. */
function polledUpTo(last: number, events: ProviderEvent[], at: Date): PollOutcome {
  const keep: Record<string, string> = last < 0 ? {} : { [OFFSET]: `${last + 1} ${at.getTime()}` }
  return { outcome: 'polled', events, keep, againInMs: 0 }
}

function isTooLarge(called: BotApiResult): called is Extract<BotApiResult, { outcome: 'lost' }> {
  return called.outcome === 'lost' && called.error.code === ANSWER_TOO_LARGE
}

/**
 * Returns the number of the first update of a response, from the response's first bytes; null when they contain none.
 * An update begins with its number, before everything that a customer wrote.
 */
function readFirstUpdateId(head: Buffer | undefined): number | null {
  const text = head?.toString('latin1', 0, UPDATE_ID_BYTES) ?? ''
  const id = Number(/"update_id":\s?(\d{1,15}),/.exec(text)?.[1] ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : null
}

/** Bytes of a response that contain the number of its first update. */
const UPDATE_ID_BYTES = 100

/**
 * Returns the stored offset, or null once it is old: after a week without updates Telegram restarts at a random
 * number, and a larger offset would confirm everything. Without an offset Telegram returns all unconfirmed updates.
 */
function readOffset(stored: string | undefined, now: Date): number | null {
  const [, offset, keptAtMs] = /^(\d{1,15}) (\d{1,15})$/.exec(stored ?? '') ?? []
  const isOld = now.getTime() - Number(keptAtMs ?? 0) > TELEGRAM_LIMITS.offsetKeptMs
  return offset === undefined || isOld ? null : Number(offset)
}

/** Deletes the webhook; its pending updates are kept and polled immediately. */
async function endWebhook(
  client: ProviderClient,
  connection: TelegramConnection,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const ended = await callBotApi(client, connection, { method: 'deleteWebhook', signal })
  if (ended.outcome !== 'ok') return { outcome: 'refused', error: ended.error }
  return { outcome: 'polled', events: [], keep: { [WEBHOOK]: null }, againInMs: 0 }
}

/** Deletes the webhook if its URL is this service's; another URL belongs to another system. */
export async function deleteWebhook(
  client: ProviderClient,
  connection: TelegramConnection,
  webhookUrl: string,
): Promise<void> {
  const info = await callBotApi(client, connection, { method: 'getWebhookInfo' })
  if (info.outcome !== 'ok') throw new ProviderRefused(info.error)
  if (readFields(info.result).url !== webhookUrl) return
  const ended = await callBotApi(client, connection, { method: 'deleteWebhook' })
  if (ended.outcome !== 'ok') throw new ProviderRefused(ended.error)
}

/**
 * Sets the webhook to this service's URL and secret if necessary, as the poll of a channel with a webhook. Returns no
 * events; `problem` is the reason why Telegram refuses the URL, or its latest delivery error if that is recent.
 */
export async function ensureWebhook(
  client: ProviderClient,
  connection: TelegramConnection,
  { credentials: { webhookSecret } }: ChannelAccess<TelegramCredentials>,
  { recall, signal, webhookUrl, receivedAt }: PollOptions,
): Promise<PollOutcome> {
  const againInMs = TELEGRAM_LIMITS.webhookLookedAtMs
  if (webhookUrl === null) return { outcome: 'polled', events: [], againInMs }
  const info = await callBotApi(client, connection, { method: 'getWebhookInfo', signal })
  if (info.outcome !== 'ok') return { outcome: 'refused', error: info.error }
  const webhookInfo = readFields(info.result)
  const digest = createHash('sha256').update(`${webhookUrl} ${webhookSecret}`).digest('hex')
  const isSet = webhookInfo.url === webhookUrl && (await recall([WEBHOOK])).get(WEBHOOK) === digest
  if (isSet) {
    const problem = readTrouble(webhookInfo, receivedAt)
    return { outcome: 'polled', events: [], againInMs, ...(problem ? { problem } : {}) }
  }
  const set = await callBotApi(client, connection, {
    method: 'setWebhook',
    body: {
      url: webhookUrl,
      secret_token: webhookSecret,
      allowed_updates: ALLOWED_UPDATES,
      drop_pending_updates: false,
    },
    signal,
  })
  if (set.outcome !== 'ok') return notSet(set, webhookUrl)
  return { outcome: 'polled', events: [], keep: { [WEBHOOK]: digest }, againInMs: 0 }
}

/** Telegram refuses URLs that it cannot reach or that are not https. */
function notSet(set: Exclude<BotApiResult, { outcome: 'ok' }>, url: string): PollOutcome {
  if (set.error.class !== 'content') return { outcome: 'refused', error: set.error }
  const problem = fact('telegram_webhook_refused', { url, said: set.error.message })
  return { outcome: 'polled', events: [], againInMs: POLL_LIMITS.maxBackOffMs, problem }
}

function readTrouble(info: Record<string, unknown>, now: Date): Fact | null {
  const at = readSeconds(info.last_error_date)
  const said = readText(info.last_error_message)
  if (at === null || said === undefined) return null
  const isRecent = now.getTime() - at.getTime() < TELEGRAM_LIMITS.webhookErrorShownMs
  return isRecent ? fact('telegram_webhook_failing', { said }) : null
}
