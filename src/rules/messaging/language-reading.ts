import type { Language } from '../../core/vocabulary/hooks.ts'

/**
 * Reads the language of a merchant's value; null selects the contact's own language. Values that begin with `ar` or
 * `en` decide, in any case, and so does "Arabic" in Arabic script, in its usual spellings. Spec: Hooks › Language
 * reading.
 */
export function readLanguage(value: string): Language | null {
  const start = value.trim().slice(0, 40).toLowerCase()
  if (start.startsWith('ar')) return 'ar'
  if (start.startsWith('en')) return 'en'
  return /^(ال)?عرب[يى]/.test(withoutDelimiters(start)) ? 'ar' : null
}

/** Removes vowel marks, invisible direction marks and the tatweel. */
const withoutDelimiters = (text: string): string => text.replace(/\p{M}|\p{Cf}|\u0640/gu, '')
