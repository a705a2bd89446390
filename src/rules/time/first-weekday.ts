import { MONDAY_ZONES, SATURDAY_ZONES } from '../../core/vocabulary/first-weekdays.ts'

const [SUNDAY, MONDAY, SATURDAY] = [0, 1, 6]

/** Returns the first day of the week in a zone: 0 for Sunday, which is the default. */
export function firstWeekdayOf(zone: string): number {
  if (SATURDAY_ZONES.has(zone)) return SATURDAY
  if (zone.startsWith('Europe/') || MONDAY_ZONES.has(zone)) return MONDAY
  return SUNDAY
}
