/**
 * Detects a text that names another time or day than the booked one. Code tells the customer the booking, so a text
 * that contradicts it would send them at the wrong hour.
 *
 * Spec: Assistant › Texts that are never sent.
 */
import { DENIALS as DENIALS_AR } from '../../core/vocabulary/statements/arabic.ts'
import { DENIALS } from '../../core/vocabulary/statements/english.ts'
import { foldText, wordsOf } from '../text/fold-text.ts'
import { timesOfDay, type TimeOfDay } from '../time/times-of-day.ts'

/** The booking of a reply, and other texts that contain times. */
export type Booking = {
  /** The text that code wrote, with the time on a 24-hour clock. */
  booked: string
  /** The times that were found or requested; a text may say that one of them is gone. */
  offered: string
  /** Other times that the customer may read, such as opening hours. */
  known: string
}

/** Weekdays from Sunday, days as month and day, and times of day. */
type Named = { weekdays: Set<number>; days: Set<number>; times: Set<string> }

/**
 * Returns whether a text names a time or a day that is neither the booking's nor among the known ones. A clause may say
 * that an offered one is gone: "16:00 was taken". Returns false when `booked` contains no time.
 */
export function namesOtherTime(text: string, { booked, offered, known }: Booking): boolean {
  const atBooking = timesIn(booked, true)
  if (atBooking.times.size === 0) return false
  const right = join(atBooking, timesIn(known))
  if (isWithin(timesIn(text), right)) return false
  const free = join(right, timesIn(offered))
  return text.split(/[\n!؟?؛;]|[.،,](?!\d)/u).some((clause) => {
    const named = timesIn(clause)
    if (isWithin(named, right)) return false
    const isGone = wordsOf(foldText(clause)).some((word) => GONE.has(word))
    return !(isGone && isWithin(named, free))
  })
}

const GONE = new Set([
  ...DENIALS,
  ...DENIALS_AR,
  ...'taken instead gone full unavailable محجوز محجوزه بدل بدلا راح راحت خلص ممتلي'.split(' '),
])

function isWithin(named: Named, known: Named): boolean {
  const has = (key: 'weekdays' | 'days') => [...named[key]].every((value) => known[key].has(value))
  return has('weekdays') && has('days') && [...named.times].every((time) => fits(time, known.times))
}

const join = (a: Named, b: Named): Named => ({
  weekdays: a.weekdays.union(b.weekdays),
  days: a.days.union(b.days),
  times: a.times.union(b.times),
})

/** Returns each word with the index of its line. */
const placesOf = (lines: string): ReadonlyMap<string, number> =>
  new Map(lines.split('|').flatMap((line, at) => line.split(' ').map((word) => [word, at])))

const WEEKDAYS = placesOf(
  'sunday الاحد|monday الاثنين الاتنين|tuesday الثلاثاء الثلاثا التلات الثلوثا|wednesday الاربعاء الاربعا|thursday الخميس|friday الجمعه|saturday السبت',
)
/** Months count only next to the number of a day, because "may" is also a verb. */
const MONTHS = placesOf(
  'jan january يناير|feb february فبراير شباط|mar march مارس اذار|apr april ابريل نيسان|may مايو ايار|jun june يونيو حزيران|jul july يوليو تموز|aug august اغسطس اب|sep sept september سبتمبر ايلول|oct october اكتوبر|nov november نوفمبر|dec december ديسمبر',
)

const withoutPrefix = (word: string) => word.replace(/^[وبل](?=ال)/u, '')

/**
 * Returns the times and days that a text names. With `isExact` its times are on a 24-hour clock. Time is linear in the
 * length of the text.
 */
function timesIn(text: string, isExact = false): Named {
  const times = new Set<string>()
  for (const time of timesOfDay(text)) if (time.isCertain) addTime(times, time, isExact)
  const words = wordsOf(foldText(text))
  const weekdays = new Set<number>()
  const days = new Set<number>()
  for (const [at, word] of words.entries()) {
    const weekday = WEEKDAYS.get(withoutPrefix(word))
    if (weekday !== undefined) weekdays.add(weekday)
    const month = MONTHS.get(word)
    const day = month === undefined ? null : adjacentDay(words, at)
    if (month !== undefined && day !== null) days.add((month + 1) * 100 + day)
  }
  return { weekdays, days, times }
}

/** Returns the day that is written next to a month: "5 October", "October 5th", "the 5th of October". */
function adjacentDay(words: readonly string[], at: number): number | null {
  const before = words[at - 1] === 'of' ? words[at - 2] : words[at - 1]
  for (const word of [before, words[at + 1]]) {
    const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/u.exec(word ?? '') ?? []
    if (digits !== undefined) return Number(digits)
  }
  return null
}

const HALF_DAY = 12 * 60

/**
 * Adds a time. One that may be in either half of the day is stored as `a` and its minutes; each is also stored as `d`,
 * on a 12-hour clock.
 */
function addTime(times: Set<string>, { hour, minute, half }: TimeOfDay, isExact: boolean): void {
  const onDial = (hour % 12) * 60 + minute
  times.add(`d${onDial}`)
  if (half !== null) times.add(`${onDial + (half === 'afternoon' ? HALF_DAY : 0)}`)
  else if (isExact || hour === 0 || hour > 12) times.add(`${(hour % 24) * 60 + minute}`)
  else times.add(`a${onDial}`)
}

function fits(time: string, known: ReadonlySet<string>): boolean {
  if (time.startsWith('d')) return true
  if (time.startsWith('a')) return known.has(`d${time.slice(1)}`)
  return known.has(time) || known.has(`a${Number(time) % HALF_DAY}`)
}
