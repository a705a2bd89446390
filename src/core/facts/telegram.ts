/** Telegram's answers to connecting a bot, and reasons why no updates arrive. */
export type TelegramFacts = {
  telegram_auth: Said
  telegram_rate: Said
  telegram_transient: Said
  telegram_asked_elsewhere: Said
  telegram_webhook_refused: { url: string; said: string }
  telegram_webhook_failing: { said: string }
}

/** Telegram's message and code, unchanged. */
type Said = { said: string; providerCode: string }
