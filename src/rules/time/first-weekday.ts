import { MONDAY_ZONES, SATURDAY_ZONES } from '../../core/vocabulary/first-weekdays.ts'

const [SUNDAY, MONDAY, SATURDAY] = [0, 1, 6]

/** With which day weeks begin where a zone is: 0 for Sunday, which it is unless known otherwise. */
export function firstWeekdayOf(zone: string): number {
  if (SATURDAY_ZONES.includes(zone)) return SATURDAY
  if (zone.startsWith('Europe/') || MONDAY_ZONES.includes(zone)) return MONDAY
  return SUNDAY
}
