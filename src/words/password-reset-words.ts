/**
 * The e-mail with the link to choose a new password: in the person's language, or in both. A link has a paragraph of
 * its own: mail programs take the end of an isolate for a part of it.
 */
import type { Language } from '../vocabulary/hooks.ts'
import { momentIn } from './date-words.ts'
import { isolated } from './isolate.ts'

type Facts = {
  language: Language | null
  expiresAt: Date
  /** In which the person reads times: IANA name. */
  timeZone: string
  link: string
}

export function passwordResetMail({ language, expiresAt, timeZone, link }: Facts): {
  subject: string
  text: string
} {
  const until = (of: Language) => momentIn(of, expiresAt, timeZone)
  const words: Record<Language, { title: string; lines: string[] }> = {
    ar: {
      title: 'كلمة مرور جديدة',
      lines: [
        'لاختيار كلمة مرور جديدة:',
        link,
        `الرابط صالح لمرة واحدة حتى ${isolated(until('ar'))}. بعدها تنتهي كل جلسات الدخول.`,
        'إن لم تطلبوا ذلك فلا تفعلوا شيئًا، وتبقى كلمة المرور كما هي.',
      ],
    },
    en: {
      title: 'A new password',
      lines: [
        `To choose a new password: ${link}`,
        `The link is good once, until ${until('en')}. All sessions end by it.`,
        'If you did not ask for it, there is nothing to do: your password stays as it is.',
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
