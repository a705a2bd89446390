import { fact, type Fact } from '../../../core/facts/fact.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import { SECOND_MS } from '../../../core/limits/units.ts'
import type { ProviderError, ProviderErrorClass } from '../inbound.ts'
import { readFields, readId, readText, type Fields } from '../provider/read-values.ts'
import { whyRefused } from '../why-refused.ts'

/** Descriptions of a 400 which mean that the recipient cannot receive any message. */
const NO_RECIPIENT =
  /chat not found|user not found|PEER_ID_INVALID|chat_id is empty|user is deactivated|USER_IS_BLOCKED|INPUT_USER_DEACTIVATED/i

/**
 * Returns the error of a refusal by Telegram's Bot API. `retryAfter` is the header's value; the body usually has it,
 * too.
 */
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
    // An invalid token has no methods.
    case 401:
    case 404:
      return 'auth'
    // The customer blocked the bot, deleted the account, or never started the bot.
    case 403:
      return 'recipient'
    case 400:
      return NO_RECIPIENT.test(message) ? 'recipient' : 'content'
    case 413:
      return 'content'
    case 429:
      return 'rate'
    // Another client polls for updates, or the webhook is set elsewhere.
    case 409:
      return 'transient'
    default:
      return code >= 500 || code === 408 ? 'transient' : 'other'
  }
}

/** Returns whether updates were requested while a webhook is set, which must be deleted first. */
export const isWebhookOn = ({ code, message }: ProviderError) =>
  code === '409' && /webhook/i.test(message)

/** Returns what an error means to the member who connects a bot, with Telegram's message. */
export function explainTelegramError(error: ProviderError): Fact {
  const values = { said: error.message, providerCode: error.code }
  if (error.code === '409') return fact('telegram_asked_elsewhere', values)
  switch (error.class) {
    case 'auth':
    case 'rate':
    case 'transient':
      return error.why ?? fact(`telegram_${error.class}`, values)
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
