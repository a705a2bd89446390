import { fact, type Fact } from '../../facts/fact.ts'
import type { ProviderError, ProviderErrorClass } from '../channel-adapter.ts'
import { whyRefused } from '../why-refused.ts'
import { SECOND_MS } from '../../limits/units.ts'
import { readFields, readId, readJson, readText } from './read-values.ts'

const CODES_BY_CLASS: Record<Exclude<ProviderErrorClass, 'other'>, readonly number[]> = {
  window: [131047],
  template: [132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018],
  // Undeliverable; ourselves; not on a test number's list; needs a number, not an id.
  recipient: [131026, 131021, 131030, 131062],
  // The customer stopped marketing, had enough of it today, or is in an experiment.
  opt_out: [131049, 131050, 130472],
  // App, user, page, custom, account, throughput and pair rates.
  rate: [4, 17, 32, 613, 80007, 130429, 131056],
  // Token, permission, number not registered.
  auth: [0, 3, 10, 190, 131005, 131045, 133010],
  billing: [131042],
  // Spam limit, policy, country, locked account.
  blocked: [368, 131031, 131048, 130497],
  // A parameter missing, wrong or of a kind that cannot be sent; media that cannot be used.
  content: [100, 131008, 131009, 131051, 131052, 131053],
  transient: [1, 2, 131000, 131016, 131057, 133004],
}

const CLASSES = new Map(
  (Object.entries(CODES_BY_CLASS) as [ProviderErrorClass, readonly number[]][]).flatMap(
    ([errorClass, codes]) => codes.map((code) => [code, errorClass] as const),
  ),
)

const MARKETING_STOPPED_CODE = 131050
const PAIR_RATE_CODE = 131056
const PAIR_RATE_WAIT_MS = 6 * SECOND_MS
const MESSAGE_CHARS = 500

/**
 * One error object as WhatsApp writes it, in an answer (`error`) or in a failed status (`errors[]`);
 * null when it holds no code. Spec: Flows › Effects.
 */
export function readErrorFields(value: unknown): ProviderError | null {
  const fields = readFields(value)
  const code = Number(readId(fields.code) ?? Number.NaN)
  if (!Number.isSafeInteger(code)) {
    return null
  }
  const said = readText(fields.message) ?? readText(fields.title) ?? ''
  const details = readText(readFields(fields.error_data).details)
  return {
    code: String(code),
    class: classOf(code, fields),
    message: cut([...new Set([said, details ?? ''])].filter((part) => part !== '').join(': ')),
    ...(code === PAIR_RATE_CODE ? { retryAfterMs: PAIR_RATE_WAIT_MS } : {}),
    ...(code === MARKETING_STOPPED_CODE ? { stopsMarketing: true as const } : {}),
  }
}

function classOf(code: number, fields: { error_subcode?: unknown; is_transient?: unknown }) {
  // The number does not exist for this token: nothing about the message is wrong.
  if (code === 100 && Number(fields.error_subcode) === 33) {
    return 'auth'
  }
  const isPermission = code >= 200 && code <= 299
  return (
    CLASSES.get(code) ??
    (isPermission ? 'auth' : fields.is_transient === true ? 'transient' : 'other')
  )
}

/** The error in the body of an answer; null when the body is not one that WhatsApp would write. */
export function readMetaError(body: string): ProviderError | null {
  return readErrorFields(readFields(readJson(body)).error)
}

/** How a refusal is to be taken, whatever its body says. `retryAfter` is the header's value. */
export function readProviderError(
  httpStatus: number,
  body: string,
  retryAfter?: string,
): ProviderError {
  const stated = readMetaError(body)
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
  const byStatus = classOfStatus(httpStatus)
  const error = stated ?? {
    code: `http_${httpStatus}`,
    class: byStatus,
    message: '',
  }
  return {
    ...error,
    // A code of our table knows better than the status line, an unknown code does not.
    class: error.class === 'other' || httpStatus === 401 ? byStatus : error.class,
    ...(seconds === null ? {} : { retryAfterMs: seconds * SECOND_MS }),
  }
}

function classOfStatus(httpStatus: number): ProviderErrorClass {
  if (httpStatus === 401) {
    return 'auth'
  }
  if (httpStatus === 429) {
    return 'rate'
  }
  return httpStatus >= 500 || httpStatus === 408 ? 'transient' : 'other'
}

function cut(message: string): string {
  return message.slice(0, MESSAGE_CHARS).toWellFormed()
}

/** What an error means to whoever connects a channel, with WhatsApp's own words. */
export function explainError(error: ProviderError): Fact {
  const told = { said: error.message, providerCode: error.code }
  switch (error.class) {
    case 'auth':
    case 'rate':
    case 'billing':
    case 'blocked':
    case 'transient':
    case 'content':
      return fact(`whatsapp_${error.class}`, told)
    case 'window':
    case 'template':
    case 'recipient':
    case 'opt_out':
    case 'other':
      return whyRefused(error)
  }
}
