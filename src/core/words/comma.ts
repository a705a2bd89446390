import type { Language } from '../vocabulary/hooks.ts'

/** The separator of the items of a list in a text. */
export const COMMA: Readonly<Record<Language, string>> = { en: ', ', ar: '، ' }
