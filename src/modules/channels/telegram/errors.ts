import { fact, type Fact } from '../../../core/facts/fact.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import { SECOND_MS } from '../../../core/limits/units.ts'
import type { ProviderError, ProviderErrorClass } from '../inbound.ts'
import { readFields, readId, readText, type Fields } from '../provider/read-values.ts'
import { whyRefused } from '../why-refused.ts'

/** Of a 400: whoever is written to cannot be, whatever is written. */
const NOBODY =
  /chat not found|user not found|PEER_ID_INVALID|chat_id is empty|user is deactivated|USER_IS_BLOCKED|INPUT_USER_DEACTIVATED/i

/** How a refusal is to be taken. `retryAfter` is the header's value; the Bot API says it in its body too. */
export function readTelegramError(
  status: number,
  answer: Fields,
  retryAfter?: string,
): ProviderError {
  const code = Number(readId(answer.error_code) ?? status)
  const message = readText(answer.description) ?? ''
  const seconds = Number(readId(readFields(answer.parameters).retry_after) ?? retryAfter)
  return {
    code: Number.isSafeInteger(code) ? String(code) : `http_${status}`,
    class: classOf(Number.isSafeInteger(code) ? code : status, message),
    message: message.slice(0, TELEGRAM_LIMITS.messageChars).toWellFormed(),
    ...(Number.isSafeInteger(seconds) && seconds > 0 ? { retryAfterMs: seconds * SECOND_MS } : {}),
  }
}

function classOf(code: number, message: string): ProviderErrorClass {
  switch (code) {
    // A token that is none has no methods at all.
    case 401:
    case 404:
      return 'auth'
    // The customer has blocked the bot, is no more, or has never begun.
    case 403:
      return 'recipient'
    case 400:
      return NOBODY.test(message) ? 'recipient' : 'content'
    case 413:
      return 'content'
    case 429:
      return 'rate'
    // Somebody else asks for the bot's updates, or its posts go elsewhere.
    case 409:
      return 'transient'
    default:
      return code >= 500 || code === 408 ? 'transient' : 'other'
  }
}

/** Asked for updates while its posts are on: they have to be switched off first. */
export const isWebhookOn = ({ code, message }: ProviderError) =>
  code === '409' && /webhook/i.test(message)

/** What an error means to whoever connects a bot, with Telegram's own words. */
export function explainTelegramError(error: ProviderError): Fact {
  const told = { said: error.message, providerCode: error.code }
  if (error.code === '409') return fact('telegram_asked_elsewhere', told)
  switch (error.class) {
    case 'auth':
    case 'rate':
    case 'transient':
      return error.why ?? fact(`telegram_${error.class}`, told)
    case 'window':
    case 'template':
    case 'recipient':
    case 'opt_out':
    case 'billing':
    case 'blocked':
    case 'content':
    case 'other':
      return whyRefused(error)
  }
}
