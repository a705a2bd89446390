/** The limits of Telegram's Bot API and of its requests. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from './units.ts'

/** Limits of Telegram's API, and intervals of its checks. */
export const TELEGRAM_LIMITS = {
  minWebhookSecretChars: 16,
  /** Telegram's own limits, from here on. */
  webhookSecretChars: 256,
  updatesPerRequest: 100,
  callbackDataBytes: 64,
  /** Size of a file that a bot may download. */
  fetchedBytes: 20 * 1_048_576,
  /** Retention of an update offset. Update ids are sequential only within a week, so an older offset is dropped. */
  offsetKeptMs: 6 * DAY_MS,
  /** Time of a poll beyond the long-poll timeout. */
  requestMs: 10 * SECOND_MS,
  /** Interval at which the webhook registration is checked. */
  webhookLookedAtMs: 5 * MINUTE_MS,
  /** Age of a webhook error up to which it is reported. */
  webhookErrorShownMs: 10 * MINUTE_MS,
  messageChars: 500,
} as const
