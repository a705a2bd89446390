import type { TimeShown } from '../../core/vocabulary/accounts.ts'
import { now } from './now.ts'
import { defineWords } from '../../core/words/define-words.ts'
import { oncePerManner, useManner, type Manner } from './language.ts'
import { localeOf, numberFormatOf } from './locale.ts'
import { sayIn } from './use-words.tsx'

/** Functions that format numbers and times in the interface's language. They read times as ISO 8601 or as dates. */
export type Format = ReturnType<typeof formatIn>

/** Returns functions that format numbers, times and durations in the language of the interface. */
export function useFormat(): Format {
  return formatOf(useManner())
}

const formatOf = oncePerManner(formatIn)

type Moment = string | Date

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const words = defineWords({
  en: {
    now: 'now',
    ago: '{time} ago',
    ahead: 'in {time}',
    seconds: '{n} s',
    minutes: '{n} min',
    hours: '{n} h',
    hours_minutes: '{h} h {m} min',
    days: { one: '1 d', other: '{n} d' },
    milliseconds: '{n} ms',
    today: 'today {time}',
    tomorrow: 'tomorrow {time}',
    yesterday: 'yesterday {time}',
    day_today: 'Today, {day}',
    day_yesterday: 'Yesterday, {day}',
    date_time: '{date}, {time}',
    bytes: '{n} B',
    kilobytes: '{n} KB',
    megabytes: '{n} MB',
  },
  ar: {
    now: 'الآن',
    ago: 'قبل {time}',
    ahead: 'بعد {time}',
    seconds: '{n} ث',
    minutes: '{n} د',
    hours: '{n} س',
    hours_minutes: '{h} س {m} د',
    days: {
      zero: 'اليوم',
      one: 'يوم',
      two: 'يومان',
      few: '{n} أيام',
      many: '{n} يومًا',
      other: '{n} يوم',
    },
    milliseconds: '{n} م.ث',
    today: 'اليوم {time}',
    tomorrow: 'غدًا {time}',
    yesterday: 'أمس {time}',
    day_today: 'اليوم، {day}',
    day_yesterday: 'أمس، {day}',
    // The mark gives the text its direction inside of an isolate: both values are isolated themselves.
    date_time: '\u061c{date}، {time}',
    bytes: '{n} ب',
    kilobytes: '{n} ك.ب',
    megabytes: '{n} م.ب',
  },
})

/**
 * Creates functions that format numbers, times and durations in a language. Times are in the viewer's zone or in UTC.
 */
export function formatIn({ language, digits, timeShown }: Manner) {
  const locale = localeOf(language, digits)
  const say = sayIn(words, language, digits)
  const zone = timeShown === 'utc' ? { timeZone: 'UTC' } : {}
  const numbers = numberFormatOf(language, digits)
  const few = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 })
  const dateFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...zone, ...options })
    return (moment: Moment) => format.format(dateOf(moment))
  }
  const time = dateFormat({ hour: '2-digit', minute: '2-digit' })
  const timeWithSeconds = dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const date = dateFormat({ day: 'numeric', month: 'short' })
  const dateWithYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
  const weekdayDate = dateFormat({ weekday: 'short', day: 'numeric', month: 'short' })
  const utcDay = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' })
  const longDay = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' })
  const longDayWithYear = dateFormat({
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const isOfThisYear = (moment: Moment) =>
    dayOf(dateOf(moment), timeShown).year === dayOf(now(), timeShown).year

  /**
   * Formats a time: "today 14:05", "tomorrow 14:05", "Tue 24 Nov, 17:00"; with the year if it is not the present one.
   */
  function dateTime(moment: Moment): string {
    const at = dateOf(moment)
    const days = daysFromToday(at, timeShown)
    if (days === 0) return say('today', { time: time(at) })
    if (days === 1) return say('tomorrow', { time: time(at) })
    if (days === -1) return say('yesterday', { time: time(at) })
    return say('date_time', {
      date: isOfThisYear(at) ? weekdayDate(at) : dateWithYear(at),
      time: time(at),
    })
  }

  /** Formats the heading of a day: "Today, Sunday 22 November"; with the year if it is not the present one. */
  function dayHeading(moment: Moment): string {
    const days = daysFromToday(dateOf(moment), timeShown)
    if (days === 0) return say('day_today', { day: longDay(moment) })
    if (days === -1) return say('day_yesterday', { day: longDay(moment) })
    return isOfThisYear(moment) ? longDay(moment) : longDayWithYear(moment)
  }

  /** Formats a duration in short units: "41 s", "12 min", "1 h 4 min", "3 d". */
  function duration(milliseconds: number): string {
    const length = Math.abs(milliseconds)
    if (length < MINUTE) return say('seconds', { n: Math.floor(length / SECOND) })
    if (length < HOUR) return say('minutes', { n: Math.floor(length / MINUTE) })
    if (length < DAY) {
      const minutes = Math.floor((length % HOUR) / MINUTE)
      const h = Math.floor(length / HOUR)
      if (minutes === 0) return say('hours', { n: h })
      return say('hours_minutes', { h, m: minutes })
    }
    return say('days', { n: Math.floor(length / DAY) })
  }

  return {
    number: (n: number) => numbers.format(n),
    /** Formats a number with two digits: "07". */
    twoDigits: (n: number) => twoDigits.format(n),
    /** Formats a share from 0 to 1. */
    percent: (share: number) => percents.format(share),
    milliseconds: (n: number) => say('milliseconds', { n: Math.round(n) }),
    time,
    timeWithSeconds,
    date,
    dateWithYear,
    weekdayDate,
    longDay,
    /** Formats a day without a time: `2026-11-22`. */
    utcDay,
    dateTime,
    dayHeading,
    duration,
    /** Formats the duration of an act: "880 ms", "4.6 s", and from a minute on like any duration. */
    took: (ms: number) => {
      if (ms < SECOND) return say('milliseconds', { n: Math.round(ms) })
      return ms < MINUTE ? say('seconds', { n: few.format(ms / SECOND) }) : duration(ms)
    },
    /** Returns "12 min ago" or "in 12 min" up to a day from now, then the date. */
    near: (moment: Moment) => {
      const away = dateOf(moment).getTime() - now().getTime()
      if (Math.abs(away) < 5 * SECOND) return say('now')
      if (Math.abs(away) >= DAY) return dateTime(moment)
      return say(away < 0 ? 'ago' : 'ahead', { time: duration(away) })
    },
    bytes: (n: number) => {
      if (n < 1_024) return say('bytes', { n })
      if (n < 1_024 * 1_024) return say('kilobytes', { n: few.format(n / 1_024) })
      return say('megabytes', { n: few.format(n / 1_024 / 1_024) })
    },
    /** Compares names by the language's alphabet. */
    compare: new Intl.Collator(locale).compare,
    /**
     * Formats a list: "a, b and c". Each item is isolated, so that a Latin name does not reorder the words around it.
     */
    list: (items: readonly string[]) => new Intl.ListFormat(locale).format(items.map(isolated)),
  }
}

const isolated = (text: string): string => `\u2068${text}\u2069`

function dateOf(moment: Moment): Date {
  return typeof moment === 'string' ? new Date(moment) : moment
}

function dayOf(at: Date, shown: TimeShown): { year: number; day: number } {
  const [year, month, date] =
    shown === 'utc'
      ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
      : [at.getFullYear(), at.getMonth(), at.getDate()]
  return { year, day: Date.UTC(year, month, date) / DAY }
}

/** Returns the start of a time's day, by the clock that shows the times. */
export function beginOfDay(at: Date, shown: TimeShown): Date {
  if (shown === 'utc') return new Date(dayOf(at, shown).day * DAY)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate())
}

/** Returns a time's day as `2026-11-29`, by the clock that shows the times. */
export function dayTextOf(at: Date, shown: TimeShown): string {
  return new Date(dayOf(at, shown).day * DAY).toISOString().slice(0, 10)
}

/** Returns the instant at which the clock that shows the times shows `2026-11-29T14:30`. */
export function instantOfTyped(typed: string, shown: TimeShown): Date {
  return new Date(shown === 'utc' ? `${typed}Z` : typed)
}

/** Returns the distance in days: 0 for today, 1 for tomorrow, -1 for yesterday. */
function daysFromToday(moment: Date, shown: TimeShown): number {
  return dayOf(moment, shown).day - dayOf(now(), shown).day
}
