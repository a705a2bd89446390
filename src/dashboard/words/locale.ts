import type { Digits } from '../../core/vocabulary/accounts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'

/** Gregorian months in both. Latin digits, as ids, phones and codes have, but for who chose others in Arabic. */
const LOCALES: Readonly<Record<Language, Readonly<Record<Digits, string>>>> = {
  en: { latin: 'en-GB-u-nu-latn', arabic: 'en-GB-u-nu-latn' },
  ar: { latin: 'ar-u-nu-latn-ca-gregory', arabic: 'ar-u-nu-arab-ca-gregory' },
}

export function localeOf(language: Language, digits: Digits = 'latin'): string {
  return LOCALES[language][digits]
}
