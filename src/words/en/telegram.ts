import type { TelegramFacts } from '../../facts/telegram.ts'
import { inEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const told =
  (what: string) =>
  ({ said, providerCode }: TelegramFacts['telegram_auth']): string =>
    `${what}${said ? `. It said: ${inEnglish(said)}` : ''} (${providerCode}).`

export const EN_TELEGRAM: Sentences<TelegramFacts> = {
  telegram_auth: told('Telegram does not accept this bot token'),
  telegram_rate: told('Telegram takes no more requests for the moment; try again in a minute'),
  telegram_transient: told('Telegram could not be asked; try again in a minute'),
  telegram_asked_elsewhere: told(
    'Another program asks Telegram for the messages of this bot: stop it, or give Wasla a bot of its own',
  ),
  telegram_webhook_refused: ({ url, said }) =>
    `Telegram does not post to ${inEnglish(url)}. It said: ${inEnglish(said)}. It needs https and a port of 443, 80, 88 or 8443; asking for the messages needs neither.`,
  telegram_webhook_failing: ({ said }) =>
    `Telegram could not post to this service lately. It said: ${inEnglish(said)}. What waits there comes as soon as it can.`,
}
