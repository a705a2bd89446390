/**
 * Formats days and times of a page: in its language, in Latin digits, by the shop's clock. Days are given by their
 * wall time (`rules/time/zone`).
 */
import type { Language } from '../../core/vocabulary/hooks.ts'
import { createFormatCache } from '../../rules/time/format-cache.ts'

const LOCALES: Record<Language, string> = { en: 'en-GB', ar: 'ar-u-nu-latn-ca-gregory' }
const UTC = 'UTC'

const formats = createFormatCache()

/** Returns a cached formatter: creating one takes longer than all its uses on a page. */
function format(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  return formats.get(key, () => new Intl.DateTimeFormat(LOCALES[language], options))
}

/** Returns the name of a day's weekday in a language. */
export const weekdayOf = (language: Language, day: number, weekday: 'short' | 'long'): string =>
  format(language, { weekday, timeZone: UTC }).format(day)

/** Returns the number of a day in its month. */
export const dayOfMonth = (day: number): string => String(new Date(day).getUTCDate())

/** Formats the month and year of a day: "November 2026". */
export const monthOf = (language: Language, day: number): string =>
  format(language, { month: 'long', year: 'numeric', timeZone: UTC }).format(day)

/** Returns a day with its weekday: "Tuesday 24 November". */
export function dayInWords(language: Language, day: number): string {
  const date = format(language, { day: 'numeric', month: 'long', timeZone: UTC }).format(day)
  return `${weekdayOf(language, day, 'long')} ${date}`
}

/** Formats the time of day of an instant in a zone: "17:00". */
export const timeOf = (zone: string, at: Date): string =>
  format('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).format(at)

/** Returns the common name of a zone: by its city in English, by its country or city in Arabic. */
export function zoneInWords(language: Language, zone: string, at: Date): string {
  if (language === 'en') {
    const city = zone.split('/').at(-1)!.replaceAll('_', ' ')
    return zone.includes('/') ? `${city} time` : city
  }
  const parts = format('ar', { timeZoneName: 'shortGeneric', timeZone: zone }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
