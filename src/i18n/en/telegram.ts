import type { TelegramFacts } from '../../core/facts/telegram.ts'
import { inEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const fromProvider =
  (what: string) =>
  ({ said, providerCode }: TelegramFacts['telegram_auth']): string =>
    `${what}${said ? `. It said: ${inEnglish(said)}` : ''} (${providerCode}).`

export const EN_TELEGRAM: Catalog<TelegramFacts> = {
  telegram_auth: fromProvider('Telegram rejected this bot token'),
  telegram_rate: fromProvider('Telegram is limiting our requests; try again in a minute'),
  telegram_transient: fromProvider('Telegram couldn’t be reached; try again in a minute'),
  telegram_asked_elsewhere: fromProvider(
    'Another program is polling this bot’s messages. Stop it, or give Wasla its own bot',
  ),
  telegram_webhook_refused: ({ url, said }) =>
    `Telegram won’t post to ${inEnglish(url)}. It said: ${inEnglish(said)}. It needs https on port 443, 80, 88 or 8443. Polling needs neither.`,
  telegram_webhook_failing: ({ said }) =>
    `Telegram recently couldn’t post to this service. It said: ${inEnglish(said)}. Waiting messages arrive as soon as it can.`,
}
