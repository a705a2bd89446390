/** The numbers of Telegram's Bot API, and how it is asked. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

export const TELEGRAM_LIMITS = {
  webhookSecretLeastChars: 16,
  /** Telegram's, as are those that follow. */
  webhookSecretChars: 256,
  updatesPerAsk: 100,
  callbackDataBytes: 64,
  /** Of a file that a bot may fetch. */
  fetchedBytes: 20 * 1_048_576,
  /** Ours. An update's number is only counted up within a week: an offset that is older is not believed. */
  offsetKeptMs: 6 * DAY_MS,
  /** Beside what Telegram may let us wait. */
  askMs: 10 * SECOND_MS,
  /** How often it is looked whether Telegram still posts to us. */
  webhookLookedAtMs: 5 * MINUTE_MS,
  /** An error of its posts that is no older is told of. */
  webhookErrorShownMs: 10 * MINUTE_MS,
  messageChars: 500,
} as const
