/**
 * The e-mail with the link to choose a new password, in the person's language or in both. The link has a separate
 * paragraph, because mail programs include the end of an isolate in a link.
 */
import type { Language } from '../core/vocabulary/hooks.ts'
import { defineWords } from '../core/words/define-words.ts'
import { momentInText } from './date-words.ts'
import { sayIn } from './write-text.ts'

type Facts = {
  language: Language | null
  expiresAt: Date
  /** The time zone for times, an IANA name. */
  timeZone: string
  link: string
}

const words = defineWords({
  en: {
    title: 'Reset your password',
    choose: 'Choose a new password:',
    once: 'This link works once and expires on {until, unchanged}. Using it signs you out everywhere.',
    ignore: 'If you didn’t ask for this, you can ignore this email. Your password won’t change.',
  },
  ar: {
    title: 'إعادة تعيين كلمة المرور في وصلة',
    choose: 'لاختيار كلمة مرور جديدة افتح هذا الرابط:',
    once: 'الرابط صالح لمرة واحدة حتى {until, unchanged}. عند اختيار كلمة مرور جديدة تنتهي كل جلسات الدخول.',
    ignore: 'إن لم تطلب ذلك فتجاهل هذه الرسالة، وتبقى كلمة المرور كما هي.',
  },
})

/** Returns the e-mail with the link that resets a password, in the person's language. */
export function passwordResetMail(facts: Facts): { subject: string; text: string } {
  const { language } = facts
  if (language) {
    const { title, lines } = wordsIn(language, facts)
    return { subject: title, text: [title, ...lines, ''].join('\n\n') }
  }
  const [en, ar] = [wordsIn('en', facts), wordsIn('ar', facts)]
  return {
    subject: `${en.title} | ${ar.title}`,
    text: [ar.title, ...ar.lines, '―――', en.title, ...en.lines, ''].join('\n\n'),
  }
}

function wordsIn(language: Language, { expiresAt, timeZone, link }: Facts) {
  const t = sayIn(words, language)
  const until = momentInText(language, expiresAt, timeZone)
  const choose = language === 'ar' ? [t('choose'), link] : [`${t('choose')} ${link}`]
  return { title: t('title'), lines: [...choose, t('once', { until }), t('ignore')] }
}
