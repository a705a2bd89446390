import { capabilitiesOf } from '../rules/messaging/channel-capabilities.ts'
import { measureText } from '../rules/text/text-length.ts'

export function asksForPerson(text: string): boolean {
  return text.includes('اكلم موظف')
}

export function splitText(
  text: string,
  channelType: string,
): { ok: true; parts: string[] } | { ok: false } {
  const { longestText, textUnit } = capabilitiesOf(channelType)
  if (longestText === null || measureText(text, textUnit) > longestText) return { ok: false }
  return { ok: true, parts: [text] }
}

export type Guarded =
  | { verdict: 'send'; text: string; citations: number[] }
  | { verdict: 'repair'; why: string }
  | { verdict: 'replace'; reason: string }

export function guardReply(text: string): Guarded {
  return text.trim() === ''
    ? { verdict: 'repair', why: 'it is empty' }
    : { verdict: 'send', text, citations: [] }
}

export function scriptOf(text: string): 'ar' | 'latin' | 'other' | null {
  if (/\p{Script=Arabic}/u.test(text)) return 'ar'
  if (/\p{Script=Latin}/u.test(text)) return 'latin'
  return /\p{L}/u.test(text) ? 'other' : null
}
