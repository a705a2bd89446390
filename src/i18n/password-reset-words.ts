/**
 * The e-mail with the link to choose a new password, in the person's language or in both. The link has a separate
 * paragraph, because mail programs include the end of an isolate in a link.
 */
import type { Language } from '../core/vocabulary/hooks.ts'
import { momentIn } from './date-words.ts'
import { isolated } from './isolate.ts'

type Facts = {
  language: Language | null
  expiresAt: Date
  /** The time zone for times, an IANA name. */
  timeZone: string
  link: string
}

/** Returns the e-mail with the link that resets a password, in the person's language. */
export function passwordResetMail({ language, expiresAt, timeZone, link }: Facts): {
  subject: string
  text: string
} {
  const until = (of: Language) => momentIn(of, expiresAt, timeZone)
  const words: Record<Language, { title: string; lines: string[] }> = {
    ar: {
      title: 'إعادة تعيين كلمة المرور في وصلة',
      lines: [
        'لاختيار كلمة مرور جديدة افتح هذا الرابط:',
        link,
        `الرابط صالح لمرة واحدة حتى ${isolated(until('ar'))}. عند اختيار كلمة مرور جديدة تنتهي كل جلسات الدخول.`,
        'إن لم تطلب ذلك فتجاهل هذه الرسالة، وتبقى كلمة المرور كما هي.',
      ],
    },
    en: {
      title: 'Reset your password',
      lines: [
        `Choose a new password: ${link}`,
        `This link works once and expires on ${until('en')}. Using it signs you out everywhere.`,
        'If you didn’t ask for this, you can ignore this email. Your password won’t change.',
      ],
    },
  }
  if (language) {
    const { title, lines } = words[language]
    return { subject: title, text: [title, ...lines, ''].join('\n\n') }
  }
  const { ar, en } = words
  return {
    subject: `${en.title} | ${ar.title}`,
    text: [ar.title, ...ar.lines, '―――', en.title, ...en.lines, ''].join('\n\n'),
  }
}
