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
