/** Detects whether a message named a bookable time to the customer. Spec: Appointments › Booking. */
import { DAY_MS } from '../../core/limits/units.ts'
import { DAYS_FROM_TODAY } from '../../core/vocabulary/days.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { foldText, hasPhrase } from '../text/fold-text.ts'
import { timesOfDay } from '../time/times-of-day.ts'
import { wallAt, wallDayAt, wallTextAt } from '../time/zone.ts'

/** The start of an appointment, and the time zone in which its customer reads it. */
export type NamedTime = { startsAt: Date; zone: string }

const HALF_DAY = 12

/**
 * Returns whether a text names the time of day of a start: `17:00`, `5 pm`, or `5:00`, which may be in either half of
 * the day. It does not find a time in English words, which is then sent once more.
 */
export function namesTimeOfDay(text: string, { startsAt, zone }: NamedTime): boolean {
  const wall = wallTextAt(zone, startsAt)
  const [hour, minute] = [Number(wall.slice(11, 13)), Number(wall.slice(14))]
  const half = hour < HALF_DAY ? 'morning' : 'afternoon'
  return timesOfDay(text).some((time) => {
    if (time.minute !== minute) return false
    if (time.hour === 0 || time.hour > HALF_DAY) return time.hour % 24 === hour
    return time.hour % HALF_DAY === hour % HALF_DAY && (time.half ?? half) === half
  })
}

/** Returns whether a text names the day of a start: by its date, its weekday, or as today or tomorrow of `now`. */
export function namesDay(text: string, { startsAt, zone }: NamedTime, now: Date): boolean {
  const folded = foldText(text)
  const iso = wallTextAt(zone, startsAt).slice(0, 10)
  if (folded.includes(iso)) return true
  const ahead = (wallDayAt(zone, startsAt.getTime()) - wallDayAt(zone, now.getTime())) / DAY_MS
  const words = [
    ...(DAYS_FROM_TODAY[ahead] ?? []),
    ...LANGUAGES_OF_DAYS.flatMap((language) => weekdayWords(startsAt, zone, language)),
  ]
  if (words.some((word) => hasPhrase(folded, foldText(word)))) return true
  const day = new Date(wallAt(zone, startsAt.getTime())).getUTCDate()
  return (
    new RegExp(`(?<![\\d:.])${day}(?![\\d:.]*\\d)`).test(folded) && hasMonth(folded, startsAt, zone)
  )
}

const LANGUAGES_OF_DAYS: readonly Language[] = ['ar', 'en']

function weekdayWords(at: Date, zone: string, language: Language): string[] {
  const long = inWords(at, zone, language, { weekday: 'long' })
  // Arabic writes a weekday with or without its article.
  if (language === 'ar') return [long, long.replace(/^ال/, ''), `يوم ${long}`]
  return [long, inWords(at, zone, language, { weekday: 'short' })]
}

function hasMonth(folded: string, at: Date, zone: string): boolean {
  const months = LANGUAGES_OF_DAYS.flatMap((language) => [
    inWords(at, zone, language, { month: 'long' }),
    inWords(at, zone, language, { month: 'short' }),
  ])
  const number = new Date(wallAt(zone, at.getTime())).getUTCMonth() + 1
  return (
    months.some((month) => hasPhrase(folded, foldText(month))) ||
    new RegExp(`[/.-]0?${number}(?!\\d)`).test(folded)
  )
}

function inWords(
  at: Date,
  zone: string,
  language: Language,
  options: Intl.DateTimeFormatOptions,
): string {
  const locale = language === 'ar' ? 'ar-u-nu-latn-ca-gregory' : 'en-GB'
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(at)
}
