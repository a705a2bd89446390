/** The e-mail of an invitation, in Arabic and in English. */
import type { Role } from '../core/vocabulary/accounts.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { momentIn } from './date-words.ts'
import { isolated, plain, withoutIsolates } from './isolate.ts'
import { withoutLinks } from './without-links.ts'

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

const ROLE_WORDS: Record<Role, { ar: string; en: string }> = {
  owner: { ar: 'مالك', en: 'Owner' },
  admin: { ar: 'مدير', en: 'Admin' },
  agent: { ar: 'موظف', en: 'Agent' },
}

/**
 * Returns the e-mail of an invitation, in both languages. The direction of a paragraph follows its first letter, so a
 * link and a code have separate paragraphs.
 */
export function invitationMail(facts: Facts): { subject: string; text: string } {
  const { role, link, token } = facts
  const account = facts.accountName ? nameOf(facts.accountName) : null
  const inviter = facts.inviterName ? nameOf(facts.inviterName) : null
  const until = (of: Language) => momentIn(of, facts.expiresAt, facts.timeZone)
  const title = {
    ar: account ? `دعوة للانضمام إلى حساب «${account}» في وصلة` : 'دعوة للانضمام إلى حساب في وصلة',
    en: account ? `You’re invited to join "${account}"` : 'You’re invited to join an account',
  }
  return {
    subject: `${withoutIsolates(title.en)} | ${withoutIsolates(title.ar)}`,
    text: [
      title.ar,
      `${inviter ? `وصلتك دعوة من ${inviter}` : 'وصلتك دعوة'} للانضمام بدور ${ROLE_WORDS[role].ar}. الدعوة صالحة حتى ${isolated(until('ar'))}، وهي لك وحدك.`,
      'لقبول الدعوة:',
      link,
      'رمز الدعوة:',
      token,
      'إن لم تكن تتوقع هذه الدعوة فتجاهل هذه الرسالة.',
      '―――',
      title.en,
      `${inviter ? `${inviter} has invited you` : 'You’ve been invited'} to join as ${ROLE_WORDS[role].en}. This invitation expires on ${until('en')}. Only you have received it.`,
      `Accept the invitation: ${link}`,
      `Invitation code: ${token}`,
      'If you weren’t expecting this, you can ignore it.',
      '',
    ].join('\n\n'),
  }
}

/** Anyone can choose any name and have it e-mailed to anyone, so links and marks are removed. */
const nameOf = (text: string): string => isolated(withoutLinks(plain(text)))
