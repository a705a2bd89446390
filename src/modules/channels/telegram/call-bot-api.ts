import type { ProviderError } from '../inbound.ts'
import { exchangeError } from '../provider/exchange-error.ts'
import { exchangeOnce, type ProviderExchange } from '../provider/http-exchange.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { encodeBody, type MultipartForm } from '../provider/request-body.ts'
import { readFields, readProviderJson, type Fields } from '../provider/read-values.ts'
import { readTelegramError } from './errors.ts'

/** The address and token of a bot. */
export type TelegramConnection = {
  /** The base URL of the Bot API, e.g. `https://api.telegram.org`, or the simulator's on loopback. */
  baseUrl: string
  botToken: string
}

type Call = {
  method: string
  /** The body, posted as JSON. */
  body?: Fields
  form?: MultipartForm
  deadlineMs?: number
  answerBytes?: number
  signal?: AbortSignal
}

/** The result of a call. `result` is the Bot API's result of an `ok` response. */
export type BotApiResult =
  | { outcome: 'ok'; result: unknown }
  | { outcome: 'refused'; status: number; error: ProviderError }
  | { outcome: 'not_sent'; error: ProviderError }
  | {
      outcome: 'lost'
      error: ProviderError
      /** The beginning of a response over the limit. */
      head?: Buffer
    }

/** Calls a method of Telegram's Bot API once. Never throws; an invalid base URL is `not_sent`. */
export async function callBotApi(
  { dispatcher, deadlineMs }: ProviderClient,
  { baseUrl, botToken }: TelegramConnection,
  call: Call,
): Promise<BotApiResult> {
  const base = URL.parse(baseUrl)
  if (!base) return { outcome: 'not_sent', error: exchangeError('not_sent', 'base_url_invalid') }
  const posted = encodeBody({ body: {}, ...call })!
  const response = await exchangeOnce(
    dispatcher,
    {
      origin: base.origin,
      path: `${base.pathname.replace(/\/+$/, '')}/bot${botToken}/${call.method}`,
      method: 'POST',
      headers: { accept: 'application/json', ...posted.headers },
      body: posted.body,
    },
    {
      deadlineMs: call.deadlineMs ?? deadlineMs,
      answerBytes: call.answerBytes,
      signal: call.signal,
    },
  )
  if (response.outcome !== 'answered') {
    const { outcome, code, ...head } = response
    return { outcome, error: exchangeError(outcome, code), ...head }
  }
  const answer = readFields(readProviderJson(response.bytes))
  if (response.status < 300 && answer.ok === true) return { outcome: 'ok', result: answer.result }
  const error = readTelegramError(response.status, answer, response.retryAfter)
  return { outcome: 'refused', status: response.status, error }
}

/** Downloads a file by the path that the Bot API returned. */
export async function fetchBotFile(
  { dispatcher }: ProviderClient,
  { baseUrl, botToken }: TelegramConnection,
  path: string,
  limits: { deadlineMs: number; answerBytes: number },
): Promise<ProviderExchange> {
  const base = new URL(baseUrl)
  const segments = path.split('/').map(encodeURIComponent).join('/')
  return exchangeOnce(
    dispatcher,
    {
      origin: base.origin,
      path: `${base.pathname.replace(/\/+$/, '')}/file/bot${botToken}/${segments}`,
      method: 'GET',
      headers: { accept: '*/*' },
    },
    limits,
  )
}
