import { withLatinDigits } from '../text/latin-digits.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { foldText } from '../text/fold-text.ts'

/** The names of the months, from January. */
const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'يناير', 'كانون الثاني', 'جانفي'],
  ['february', 'feb', 'فبراير', 'شباط', 'فيفري'],
  ['march', 'mar', 'مارس', 'اذار'],
  ['april', 'apr', 'ابريل', 'نيسان', 'افريل'],
  ['may', 'مايو', 'ايار', 'ماي'],
  ['june', 'jun', 'يونيو', 'يونيه', 'حزيران', 'جوان'],
  ['july', 'jul', 'يوليو', 'يوليه', 'تموز', 'جويلية'],
  ['august', 'aug', 'اغسطس', 'اب', 'اوت'],
  ['september', 'sep', 'sept', 'سبتمبر', 'ايلول'],
  ['october', 'oct', 'اكتوبر', 'تشرين الاول'],
  ['november', 'nov', 'نوفمبر', 'تشرين الثاني'],
  ['december', 'dec', 'ديسمبر', 'كانون الاول'],
]
const MONTH_OF = new Map(
  MONTHS.flatMap((names, index) => names.map((name) => [foldText(name), index + 1] as const)),
)

const DAYS_FROM_TODAY = new Map(
  [
    [['today', 'اليوم', 'النهارده', 'النهاردة'], 0] as const,
    [['tomorrow', 'غدا', 'غدًا', 'غد', 'بكرة', 'بكرا', 'بكره'], 1] as const,
    [
      ['day after tomorrow', 'the day after tomorrow', 'بعد غد', 'بعد بكرة', 'بعد بكرا'],
      2,
    ] as const,
    [['yesterday', 'امس', 'امبارح'], -1] as const,
  ].flatMap(([words, days]) => words.map((word) => [foldText(word), days] as const)),
)

/**
 * Reads a day as people write it, and returns an ISO date or null. Accepted are year first, day before month with a
 * year of four digits, the name of a month, and words such as today and tomorrow in the company's zone.
 */
export function readDate(text: string, { now, zone }: { now: Date; zone: string }): string | null {
  const folded = foldText(withLatinDigits(text))
  // The patterns below backtrack: on a long row of dashes they would run for hours, so longer texts are refused first.
  if (folded.length > FLOW_LIMITS.dayChars) return null
  const daysFromToday = DAYS_FROM_TODAY.get(folded)
  if (daysFromToday !== undefined) return dayIn(zone, now, daysFromToday)
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(folded)
  if (yearFirst) return asDay(yearFirst[1]!, Number(yearFirst[3]), yearFirst[4]!)
  const dayFirst = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(folded)
  if (dayFirst) return asDay(dayFirst[4]!, Number(dayFirst[3]), dayFirst[1]!)
  const named =
    /^(\d{1,2})(?:st|nd|rd|th)?[ -]+(?:of )?([^\d]+?)\.?[ ,،-]+(\d{4})$/u.exec(folded) ?? undefined
  if (named) return asDay(named[3]!, MONTH_OF.get(named[2]!.trim()), named[1]!)
  const monthFirst = /^([^\d]+?)\.? (\d{1,2})(?:st|nd|rd|th)?[ ,،]+(\d{4})$/u.exec(folded)
  if (monthFirst) return asDay(monthFirst[3]!, MONTH_OF.get(monthFirst[1]!.trim()), monthFirst[2]!)
  return null
}

/** Returns the ISO date of a day; null when the calendar has no such day. */
function asDay(year: string, month: number | undefined, day: string): string | null {
  if (month === undefined) return null
  const at = new Date(Date.UTC(Number(year), month - 1, Number(day)))
  const isThere =
    at.getUTCFullYear() === Number(year) &&
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === Number(day)
  return isThere ? at.toISOString().slice(0, 10) : null
}

function dayIn(zone: string, now: Date, daysFromToday: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).formatToParts(now)
  const [year, month, day] = ['year', 'month', 'day'].map((type) =>
    Number(parts.find((part) => part.type === type)!.value),
  )
  const today = Date.UTC(year!, month! - 1, day)
  return new Date(today + daysFromToday * DAY_MS).toISOString().slice(0, 10)
}
