import type { Language } from '../../vocabulary/hooks.ts'

/** Latin digits and Gregorian months in both: ids, phones, codes and prices stand beside them. */
const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB-u-nu-latn',
  ar: 'ar-u-nu-latn-ca-gregory',
}

export function localeOf(language: Language): string {
  return LOCALES[language]
}
