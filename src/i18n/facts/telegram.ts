import type { TelegramFacts } from '../../core/facts/telegram.ts'
import { defineFacts } from '../define-facts.ts'

export const telegramFacts = defineFacts<TelegramFacts>()({
  en: {
    telegram_auth: 'Telegram rejected this bot token{said, provider_said} ({providerCode}).',
    telegram_rate:
      'Telegram is limiting our requests; try again in a minute{said, provider_said} ({providerCode}).',
    telegram_transient:
      'Telegram couldn’t be reached; try again in a minute{said, provider_said} ({providerCode}).',
    telegram_asked_elsewhere:
      'Another program is polling this bot’s messages. Stop it, or give Wasla its own bot{said, provider_said} ({providerCode}).',
    telegram_webhook_refused:
      'Telegram won’t post to {url}. It said: {said}. It needs https on port 443, 80, 88 or 8443. Polling needs neither.',
    telegram_webhook_failing:
      'Telegram recently couldn’t post to this service. It said: {said}. Waiting messages arrive as soon as it can.',
  },
  ar: {
    telegram_auth: 'رفض تيليجرام رمز البوت هذا{said, provider_said} ({providerCode}).',
    telegram_rate:
      'لا يقبل تيليجرام طلبات أخرى الآن؛ أعد المحاولة بعد دقيقة{said, provider_said} ({providerCode}).',
    telegram_transient:
      'تعذّر الاتصال بتيليجرام؛ أعد المحاولة بعد دقيقة{said, provider_said} ({providerCode}).',
    telegram_asked_elsewhere:
      'برنامج آخر يطلب رسائل هذا البوت من تيليجرام: أوقفه، أو خصّص لوصلة بوتًا مستقلًا{said, provider_said} ({providerCode}).',
    telegram_webhook_refused:
      'لا يرسل تيليجرام إلى {url}. ردّه: {said}. يلزم https ومنفذ 443 أو 80 أو 88 أو 8443، أما طلب الرسائل من تيليجرام فلا يحتاج إلى ذلك.',
    telegram_webhook_failing:
      'تعذّر على تيليجرام الإرسال إلى هذه الخدمة مؤخرًا. ردّه: {said}. ستصل الرسائل المنتظرة عندما يصبح ذلك ممكنًا.',
  },
})
