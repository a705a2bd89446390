import { useMemo } from 'react'
import { useManner } from './language.ts'
import { localeOf } from './locale.ts'

/** Returns a function that names a country by its ISO 3166-1 alpha-2 code, in the language of the dashboard. */
export function useCountryName(): (code: string) => string {
  const { language } = useManner()
  return useMemo(() => {
    const names = new Intl.DisplayNames(localeOf(language), { type: 'region' })
    return (code) => names.of(code) ?? code
  }, [language])
}
