import type { Language } from '../../core/vocabulary/hooks.ts'

/** Returns a merchant's text in a language; without an Arabic text the other one serves both languages. */
export function textIn<Name extends string | null>(
  language: Language,
  name: Name,
  nameAr: string | null,
): Name | string {
  return language === 'ar' && nameAr !== null ? nameAr : name
}
