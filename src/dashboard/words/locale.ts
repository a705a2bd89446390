import type { Digits } from '../../core/vocabulary/accounts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'

/**
 * The locales of the interface, with Gregorian months. Digits are Latin, as in ids, phone numbers and codes, unless the
 * member chose Arabic ones.
 */
const LOCALES: Readonly<Record<Language, Readonly<Record<Digits, string>>>> = {
  en: { latin: 'en-GB-u-nu-latn', arabic: 'en-GB-u-nu-latn' },
  ar: { latin: 'ar-u-nu-latn-ca-gregory', arabic: 'ar-u-nu-arab-ca-gregory' },
}

/** Returns the BCP 47 locale, for `Intl`, of a language with the given digits. */
export function localeOf(language: Language, digits: Digits = 'latin'): string {
  return LOCALES[language][digits]
}

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Returns the format of numbers in a language with the given digits. Each is created once. */
export function numberFormatOf(language: Language, digits: Digits = 'latin'): Intl.NumberFormat {
  const locale = localeOf(language, digits)
  const format = numberFormats.get(locale) ?? new Intl.NumberFormat(locale)
  numberFormats.set(locale, format)
  return format
}
