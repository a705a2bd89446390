/** The e-mail of an invitation, in Arabic and in English. */
import type { Role } from '../core/vocabulary/accounts.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { defineWords } from '../core/words/define-words.ts'
import { roleWords } from '../core/words/role-words.ts'
import { momentInText } from './date-words.ts'
import { isolated, plain, withoutIsolates } from './isolate.ts'
import { withoutLinks } from './without-links.ts'
import { sayIn } from './write-text.ts'

type Facts = {
  accountName: string | null
  inviterName: string | null
  role: Role
  expiresAt: Date
  /** The time zone of the account's own company, an IANA name. */
  timeZone: string
  /** The URL for accepting the invitation, with the token. */
  link: string
  token: string
}

const words = defineWords({
  en: {
    title: 'You’re invited to join an account',
    title_named: 'You’re invited to join "{account, unchanged}"',
    invited:
      'You’ve been invited to join as {role}. This invitation expires on {until, unchanged}. Only you have received it.',
    invited_by:
      '{inviter, unchanged} has invited you to join as {role}. This invitation expires on {until, unchanged}. Only you have received it.',
    accept: 'Accept the invitation:',
    code: 'Invitation code:',
    ignore: 'If you weren’t expecting this, you can ignore it.',
  },
  ar: {
    title: 'دعوة للانضمام إلى حساب في وصلة',
    title_named: 'دعوة للانضمام إلى حساب «{account, unchanged}» في وصلة',
    invited:
      'وصلتك دعوة للانضمام بدور {role, unchanged}. الدعوة صالحة حتى {until, unchanged}، وهي لك وحدك.',
    invited_by:
      'وصلتك دعوة من {inviter, unchanged} للانضمام بدور {role, unchanged}. الدعوة صالحة حتى {until, unchanged}، وهي لك وحدك.',
    accept: 'لقبول الدعوة:',
    code: 'رمز الدعوة:',
    ignore: 'إن لم تكن تتوقع هذه الدعوة فتجاهل هذه الرسالة.',
  },
})

/**
 * Returns the e-mail of an invitation, in both languages. The direction of a paragraph follows its first letter, so a
 * link and a code have separate paragraphs.
 */
export function invitationMail(facts: Facts): { subject: string; text: string } {
  const { link, token } = facts
  const [en, ar] = [wordsIn('en', facts), wordsIn('ar', facts)]
  return {
    subject: `${withoutIsolates(en.title)} | ${withoutIsolates(ar.title)}`,
    text: [
      ar.title,
      ar.invited,
      ar.accept,
      link,
      ar.code,
      token,
      ar.ignore,
      '―――',
      en.title,
      en.invited,
      `${en.accept} ${link}`,
      `${en.code} ${token}`,
      en.ignore,
      '',
    ].join('\n\n'),
  }
}

function wordsIn(language: Language, facts: Facts) {
  const t = sayIn(words, language)
  const role = sayIn(roleWords, language)(facts.role)
  const until = momentInText(language, facts.expiresAt, facts.timeZone)
  const account = facts.accountName && nameOf(facts.accountName)
  const inviter = facts.inviterName && nameOf(facts.inviterName)
  return {
    title: account ? t('title_named', { account }) : t('title'),
    invited: inviter ? t('invited_by', { inviter, role, until }) : t('invited', { role, until }),
    accept: t('accept'),
    code: t('code'),
    ignore: t('ignore'),
  }
}

/** Anyone can choose any name and have it e-mailed to anyone, so links and marks are removed. */
const nameOf = (text: string): string => isolated(withoutLinks(plain(text)))
