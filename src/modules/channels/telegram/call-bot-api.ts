import type { Readable } from 'node:stream'
import { fact } from '../../../core/facts/fact.ts'
import type { ProviderError } from '../inbound.ts'
import { exchangeOnce, type ProviderExchange as AskedForBytes } from '../provider/http-exchange.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readJson, type Fields } from '../provider/read-values.ts'
import { readTelegramError } from './errors.ts'

/** Where a bot is and how to speak for it. */
export type TelegramConnection = {
  /** Of the Bot API, e.g. `https://api.telegram.org`; the simulator's on loopback. */
  baseUrl: string
  botToken: string
}

type Call = {
  method: string
  /** Posted as JSON. */
  body?: Fields
  /** A form with a file in it, in the bytes of `multipart/form-data`. */
  form?: { type: string; length: number; bytes: Readable }
  deadlineMs?: number
  answerBytes?: number
  signal?: AbortSignal
}

/** `result`: what the Bot API answered with `ok`. */
export type Called =
  | { outcome: 'ok'; result: unknown }
  | { outcome: 'refused'; status: number; error: ProviderError }
  | { outcome: 'not_sent' | 'lost'; error: ProviderError }

/** One call of a method. Never throws; a bad base URL is `not_sent`. */
export async function callBotApi(
  { dispatcher, deadlineMs }: ProviderClient,
  { baseUrl, botToken }: TelegramConnection,
  call: Call,
): Promise<Called> {
  const base = URL.parse(baseUrl)
  if (!base) return { outcome: 'not_sent', error: notAnswered('not_sent', 'base_url_invalid') }
  const posted = postedBy(call)
  const asked = await exchangeOnce(
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
  if (asked.outcome !== 'answered') {
    return { outcome: asked.outcome, error: notAnswered(asked.outcome, asked.code) }
  }
  const answer = readFields(readJson(asked.bytes))
  if (asked.status < 300 && answer.ok === true) return { outcome: 'ok', result: answer.result }
  const error = readTelegramError(asked.status, answer, asked.retryAfter)
  return { outcome: 'refused', status: asked.status, error }
}

function postedBy({ body = {}, form }: Call) {
  if (form) {
    const { type, length, bytes } = form
    return { body: bytes, headers: { 'content-type': type, 'content-length': String(length) } }
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** A file that the Bot API has told the path of. */
export async function fetchBotFile(
  { dispatcher }: ProviderClient,
  { baseUrl, botToken }: TelegramConnection,
  path: string,
  limits: { deadlineMs: number; answerBytes: number },
): Promise<AskedForBytes> {
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

/** What would only fail the same way again, before anything is written. */
const WRONG_SETTINGS = new Set(['base_url_invalid', 'UND_ERR_INVALID_ARG'])

/** In words that hold no token: the address of a bot's methods has it. */
export function notAnswered(outcome: 'not_sent' | 'lost', code: string): ProviderError {
  return {
    code,
    class: WRONG_SETTINGS.has(code) ? 'other' : 'transient',
    message: '',
    why: fact(outcome === 'not_sent' ? 'provider_not_reached' : 'provider_answer_cut', {
      fault: code,
    }),
  }
}
