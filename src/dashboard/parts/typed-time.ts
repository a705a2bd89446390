/**
 * Days and times as a field shows them: the day first and a 24-hour clock, in every language and browser. Their values
 * are `2026-11-29`, `14:30` and `2026-11-29T14:30`.
 */
import { withLatinDigits } from '../../rules/text/latin-digits.ts'

/** The kind of a field: a day, a time of day, or both. */
export type TimeForm = 'day' | 'clock' | 'moment'

const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/
const YEAR_FIRST = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/
const CLOCK = /^(\d{1,2})[:.](\d{2})$/

/** Returns the text of a value: `29/11/2026`, `14:30` or `29/11/2026 14:30`; empty for none. */
export function writeTyped(form: TimeForm, value: string): string {
  if (value === '' || form === 'clock') return value
  const [day = '', clock] = value.split('T')
  const shown = day.split('-').toReversed().join('/')
  return form === 'moment' && clock ? `${shown} ${clock}` : shown
}

/** Returns the value of a text: empty for an empty text, null for an invalid one. */
export function readTyped(form: TimeForm, text: string): string | null {
  const typed = withLatinDigits(text)
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .trim()
  if (typed === '') return ''
  if (form === 'day') return readDay(typed)
  if (form === 'clock') return readClock(typed)
  const [day = '', clock = '', ...more] = typed.split(/[\sT]+/)
  const [of, at] = [readDay(day), readClock(clock)]
  return of === null || at === null || more.length > 0 ? null : `${of}T${at}`
}

function readDay(typed: string): string | null {
  const [, first, month, last] = DAY_FIRST.exec(typed) ?? YEAR_FIRST.exec(typed) ?? []
  if (!first || !month || !last) return null
  const [year, day] = first.length === 4 ? [first, last] : [last, first]
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${value}T00:00:00Z`)
  // `Date` would continue an invalid day in the next month.
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value ? null : value
}

function readClock(typed: string): string | null {
  const [, hours = '99', minutes = '99'] = CLOCK.exec(typed) ?? []
  return Number(hours) > 23 || Number(minutes) > 59 ? null : `${hours.padStart(2, '0')}:${minutes}`
}
