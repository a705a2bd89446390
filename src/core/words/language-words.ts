import type { Language } from '../vocabulary/hooks.ts'
import { defineWordsOf } from './define-words.ts'

/** The names of the languages in which the service writes. */
export const languageWords = defineWordsOf<Language>()({
  en: { en: 'English', ar: 'Arabic' },
  ar: { en: 'الإنجليزية', ar: 'العربية' },
})
