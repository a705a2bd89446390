/** Detects whether a message named a bookable time to the customer. Spec: Appointments › Booking. */
import { DAY_MS } from '../../core/limits/units.ts'
import { DAYS_FROM_TODAY, HOUR_WORDS } from '../../core/vocabulary/days.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { foldText, hasPhrase } from '../text/fold-text.ts'
import { wallAt, wallDayAt, wallTextAt } from '../time/zone.ts'

/** The start of an appointment, and the time zone in which its customer reads it. */
export type NamedTime = { startsAt: Date; zone: string }

const HALF_DAY = 12
const CLOCK = /(?<![\d:.])(\d{1,2}):(\d{2})(?![:.]?\d)/g
/** A bare number counts as an hour only next to a word for it, because it may be a day, a price or a floor. */
const BEFORE = `(?:${HOUR_WORDS.before.join('|')})`
const AFTER = `(?:${HOUR_WORDS.after.join('|')})`
const HOUR = new RegExp(
  `(?<!\\p{L})${BEFORE}\\s+(\\d{1,2})(?![\\d:.]*\\d)|(?<![\\d:./-])(\\d{1,2})\\s*${AFTER}(?!\\p{L})`,
  'gu',
)

/**
 * Returns whether a text names the time of day of a start, in either half of the day: `17:00`, `5:00` or `5 am`. It
 * reads any digits. It does not find a time that is written in words alone, which is then sent once more.
 */
export function namesTimeOfDay(text: string, { startsAt, zone }: NamedTime): boolean {
  const wall = wallTextAt(zone, startsAt)
  const [hour, minute] = [Number(wall.slice(11, 13)), Number(wall.slice(14))]
  const folded = foldText(text)
  const named = [
    ...[...folded.matchAll(CLOCK)].map((match) => [Number(match[1]), Number(match[2])] as const),
    ...[...folded.matchAll(HOUR)].map((match) => [Number(match[1] ?? match[2]), 0] as const),
  ]
  return named.some(([h, m]) => {
    const isHour = h === hour || (h > 0 && h <= HALF_DAY && h % HALF_DAY === hour % HALF_DAY)
    return isHour && m === minute
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
