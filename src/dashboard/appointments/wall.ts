/**
 * Days and times by the clock in the company's zone, in milliseconds as if they were UTC. The API uses instants; the
 * browser's zone data converts between the two.
 */
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { firstWeekdayOf } from '../../rules/time/first-weekday.ts'
import { instantAt, wallAt, wallDayAt } from '../../rules/time/zone.ts'
import { now } from '../words/now.ts'
import { defineWords } from '../../core/words/define-words.ts'
import { oncePerManner, useManner, type Manner } from '../words/language.ts'
import { localeOf, numberFormatOf } from '../words/locale.ts'
import { sayIn } from '../words/use-words.tsx'

const WEEK_DAYS = 7

/** Returns the current time in ms since 1970. */
export const nowMs = (): number => now().getTime()

/** Returns midnight of the current day in a zone, as wall time. */
export const todayIn = (zone: string): number => wallDayAt(zone, nowMs())

/** Converts an instant in ISO 8601 to ms since 1970. */
export const msOf = (instant: string): number => Date.parse(instant)

/** Converts ms since 1970 to ISO 8601. */
export const isoOf = (at: number): string => new Date(at).toISOString()

/** Returns the wall time in a zone at an instant, which is given in ISO 8601. */
export const wallOf = (zone: string, instant: string): number => wallAt(zone, msOf(instant))

/** Returns the instant, in ISO 8601, at which a clock in the zone shows a wall time. */
export const instantOf = (zone: string, wall: number): string => isoOf(instantAt(zone, wall).at)

/** Returns midnight of the day of a wall time. */
export const dayOfWall = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS

/** Returns the minutes from midnight to a wall time. */
export const minutesOf = (wall: number): number => (wall - dayOfWall(wall)) / MINUTE_MS

/**
 * Returns minutes from midnight as the value of a field: `17:30`. Texts on the page come from `clock`, in the member's
 * digits.
 */
export function clockText(minutes: number): string {
  const pad = (n: number) => String(n).padStart(2, '0')
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** Returns midnight of the first day of a day's week, which begins on the weekday that is usual in the zone. */
export const weekOf = (zone: string, day: number): number => {
  const since = (new Date(day).getUTCDay() - firstWeekdayOf(zone) + WEEK_DAYS) % WEEK_DAYS
  return day - since * DAY_MS
}

/** Returns midnight of seven consecutive days, the given one first. */
export const weekFrom = (day: number): number[] =>
  Array.from({ length: WEEK_DAYS }, (_, n) => day + n * DAY_MS)

const words = defineWords({
  en: {
    day_and_time: '{day}, {time}',
    from_to: '{from} to {to}',
    day_from_to: '{day}, {from} to {to}',
    zone: '{city} time',
  },
  ar: {
    day_and_time: '{day}، {time}',
    from_to: '{from} إلى {to}',
    day_from_to: '{day}، من {from} إلى {to}',
    zone: 'توقيت {city}',
  },
})

/** Functions that format wall times in the language of the interface. */
export type WallFormat = ReturnType<typeof wallFormatIn>

/** Returns functions that format wall times in the language of the interface. */
export function useWallFormat(): WallFormat {
  return wallFormatOf(useManner())
}

const wallFormatOf = oncePerManner(wallFormatIn)

function wallFormatIn({ language, digits }: Pick<Manner, 'language' | 'digits'>) {
  const locale = localeOf(language, digits)
  const say = sayIn(words, language, digits)
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', hourCycle: 'h23', ...options })
    return (wall: number) => made.format(wall)
  }
  const time = format({ hour: '2-digit', minute: '2-digit' })
  const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' })
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const dayOfMonth = format({ day: 'numeric' })
  const dayAndMonth = format({ day: 'numeric', month: 'long' })
  const whole = format({ day: 'numeric', month: 'long', year: 'numeric' })
  const monthOf = format({ month: 'numeric' })
  const numbers = numberFormatOf(language, digits)
  return {
    time,
    /** Formats minutes from midnight. */
    clock: (minutes: number) => time(minutes * MINUTE_MS),
    /** Formats the value of a field, which may be a time of the next night: `26:00`. */
    clockOf: (text: string) => text.replaceAll(/\d/g, (digit) => numbers.format(Number(digit))),
    longDay,
    day,
    dayOfMonth,
    weekday: format({ weekday: 'short' }),
    /** Formats a time: "Tue 24 Nov, 17:00". */
    dayAndTime: (wall: number) => say('day_and_time', { day: day(wall), time: time(wall) }),
    /** Formats a period: "Tuesday 24 November, 17:00 to 18:30". */
    dayFromTo: (from: number, to: number) =>
      say('day_from_to', { day: longDay(from), from: time(from), to: time(to) }),
    /** Formats the first and the last day: "22 to 28 November 2026". */
    days: (from: number, to: number) => {
      const isOneMonth = monthOf(from) === monthOf(to)
      return say('from_to', {
        from: isOneMonth ? dayOfMonth(from) : dayAndMonth(from),
        to: whole(to),
      })
    },
    /** Formats a day: "Tuesday 24 November 2026". */
    oneDay: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    /** Names a zone by its city in English, and by its country or city in Arabic. */
    zone: (zone: string) => {
      const city = zone.split('/').at(-1)!.replaceAll('_', ' ')
      if (language === 'en') return say('zone', { city })
      return (
        new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'shortGeneric' })
          .formatToParts(now())
          .find(({ type }) => type === 'timeZoneName')?.value ?? zone
      )
    },
  }
}
