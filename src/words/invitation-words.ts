/** The e-mail of an invitation, in Arabic and in English. */
import type { Role } from '../vocabulary/accounts.ts'
import type { Language } from '../vocabulary/hooks.ts'
import { momentIn } from './date-words.ts'
import { isolated, plain, withoutIsolates } from './isolate.ts'
import { withoutLinks } from './without-links.ts'

type Facts = {
  accountName: string | null
  inviterName: string | null
  role: Role
  expiresAt: Date
  /** Of the account's own company: IANA name. */
  timeZone: string
  /** Where it is accepted, with the token. */
  link: string
  token: string
}

const ROLE_WORDS: Record<Role, { ar: string; en: string }> = {
  owner: { ar: 'مالك', en: 'Owner' },
  admin: { ar: 'مدير', en: 'Admin' },
  agent: { ar: 'موظف', en: 'Agent' },
}

/**
 * One e-mail in both languages: an Arabic paragraph turns by its first letter, an English one too, and a link and a
 * code have one of their own.
 */
export function invitationMail(facts: Facts): { subject: string; text: string } {
  const { role, link, token } = facts
  const account = facts.accountName ? nameOf(facts.accountName) : null
  const inviter = facts.inviterName ? nameOf(facts.inviterName) : null
  const until = (of: Language) => momentIn(of, facts.expiresAt, facts.timeZone)
  const title = {
    ar: account ? `دعوة إلى حساب «${account}»` : 'دعوة إلى حساب',
    en: account ? `Invitation to the account "${account}"` : 'Invitation to an account',
  }
  return {
    subject: `${withoutIsolates(title.en)} | ${withoutIsolates(title.ar)}`,
    text: [
      title.ar,
      `${inviter ? `دعاكم ${inviter}` : 'دُعيتم'} للانضمام بدور ${ROLE_WORDS[role].ar}. تنتهي الدعوة في ${isolated(until('ar'))}، ولا يراها غيركم.`,
      'لقبول الدعوة:',
      link,
      'رمز الدعوة:',
      token,
      'إن لم تتوقعوا هذه الدعوة فلا تفعلوا شيئًا.',
      '―――',
      title.en,
      `${inviter ? `${inviter} invites you` : 'You are invited'} to join as ${ROLE_WORDS[role].en}. The invitation is good until ${until('en')}, and nobody else has seen it.`,
      `To accept: ${link}`,
      `Code of the invitation: ${token}`,
      'If you did not expect it, there is nothing to do.',
      '',
    ].join('\n\n'),
  }
}

/** Anybody may call themselves anything, and have it sent to anybody. */
const nameOf = (text: string): string => isolated(withoutLinks(plain(text)))
