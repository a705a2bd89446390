/**
 * The opening hours of a company by weekday, in wall time of its zone. This file converts wall time to instants, by the
 * zones of the runtime. Spec: Flows › Steps; reading F34.
 */
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { instantAt, wallAt, wallDayAt } from '../time/zone.ts'

/** The weekdays in the order of `Date.getUTCDay`. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A range in minutes from midnight; `to` is at most 24 hours and greater than `from`. */
export type OpenRange = { from: number; to: number }
/** Opening hours by weekday; a day that is left out is closed. */
export type OpeningHours = Partial<Record<Weekday, readonly OpenRange[]>>

/** Returns whether a company is open at a time, by its weekly hours. */
export function isOpenAt(hours: OpeningHours, zone: string, now: Date): boolean {
  const day = wallDayAt(zone, now.getTime())
  const minutes = (wallAt(zone, now.getTime()) - day) / MINUTE_MS
  return rangesOf(hours, day).some(({ from, to }) => from <= minutes && minutes < to)
}

/** Returns the next moment at which a company is open: `now` itself while it is open; null when it never is. */
export function nextOpening(hours: OpeningHours, zone: string, now: Date): Date | null {
  if (isOpenAt(hours, zone, now)) return now
  const today = wallDayAt(zone, now.getTime())
  for (let days = 0; days <= WEEKDAYS.length; days += 1) {
    const day = today + days * DAY_MS
    const opens = rangesOf(hours, day)
      .map(({ from }) => instantAt(zone, day + from * MINUTE_MS).at)
      .filter((at) => at > now.getTime())
      .toSorted((a, b) => a - b)
    if (opens[0] !== undefined) return new Date(opens[0])
  }
  return null
}

function rangesOf(hours: OpeningHours, day: number): readonly OpenRange[] {
  return hours[WEEKDAYS[new Date(day).getUTCDay()]!] ?? []
}
