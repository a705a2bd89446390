import type { TelegramFacts } from '../../core/facts/telegram.ts'
import { inArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const fromProvider =
  (what: string) =>
  ({ said, providerCode }: TelegramFacts['telegram_auth']): string =>
    `${what}${said ? `. ردّه: ${inArabic(said)}` : ''} (${inArabic(providerCode)}).`

export const AR_TELEGRAM: Catalog<TelegramFacts> = {
  telegram_auth: fromProvider('رفض تيليجرام رمز البوت هذا'),
  telegram_rate: fromProvider('لا يقبل تيليجرام طلبات أخرى الآن؛ أعد المحاولة بعد دقيقة'),
  telegram_transient: fromProvider('تعذّر الاتصال بتيليجرام؛ أعد المحاولة بعد دقيقة'),
  telegram_asked_elsewhere: fromProvider(
    'برنامج آخر يطلب رسائل هذا البوت من تيليجرام: أوقفه، أو خصّص لوصلة بوتًا مستقلًا',
  ),
  telegram_webhook_refused: ({ url, said }) =>
    `لا يرسل تيليجرام إلى ${inArabic(url)}. ردّه: ${inArabic(said)}. يلزم https ومنفذ 443 أو 80 أو 88 أو 8443، أما طلب الرسائل من تيليجرام فلا يحتاج إلى ذلك.`,
  telegram_webhook_failing: ({ said }) =>
    `تعذّر على تيليجرام الإرسال إلى هذه الخدمة مؤخرًا. ردّه: ${inArabic(said)}. ستصل الرسائل المنتظرة عندما يصبح ذلك ممكنًا.`,
}
