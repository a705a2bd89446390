import { useMemo } from 'react'
import { useManner } from './language.ts'
import { localeOf } from './locale.ts'

/**
 * Returns a function that names a language by its tag, in the language of the dashboard: "ar" is "Arabic" in English.
 * An invalid tag is returned unchanged.
 */
export function useLanguageName(): (tag: string) => string {
  const { language } = useManner()
  return useMemo(() => {
    const names = new Intl.DisplayNames(localeOf(language), { type: 'language', fallback: 'code' })
    return (tag) => {
      try {
        return names.of(tag.replace('_', '-')) ?? tag
      } catch {
        return tag
      }
    }
  }, [language])
}
