import { DAY_MS } from '../../core/limits/units.ts'
import { WEEKDAYS, type Weekday } from '../flows/opening-hours.ts'

/** Minutes from midnight; more than 24 hours reach into the following night. */
export type Hours = { fromMin: number; toMin: number }
export type WeeklyHours = Hours & { weekday: Weekday }

/** Different hours on some days, or none. Rows of one resource with the same days form one split day. */
export type HoursChange = {
  /** Null when the change applies to all resources. */
  resourceId: string | null
  /** Dates of the local calendar, such as `2027-02-08`; both are inclusive. */
  firstDay: string
  lastDay: string
} & ({ isClosed: true } | ({ isClosed: false } & Hours))

/**
 * Returns the hours in which a resource is available on a day, by its weekly hours and special hours. A day that
 * changes name takes its hours from the narrowest range alone. Between equally narrow ranges the resource's own wins,
 * then the one that begins later. Spec: Appointments › Hours; readings A21, A22.
 */
export function hoursOfDay(
  { id, openings }: { id: string; openings: readonly WeeklyHours[] },
  changes: readonly HoursChange[],
  /** Midnight of the day, in wall time as if it were UTC. */
  day: number,
): Hours[] {
  // ISO dates sort as texts, which is cheap: a year of days reads a thousand changes.
  const text = new Date(day).toISOString().slice(0, 10)
  const fitting = changes.filter(
    ({ resourceId, firstDay, lastDay }) =>
      firstDay <= text && text <= lastDay && (resourceId === null || resourceId === id),
  )
  const [narrowest] = fitting.toSorted(byNarrowness)
  if (narrowest) {
    return fitting.flatMap((change) =>
      byNarrowness(change, narrowest) === 0 && !change.isClosed ? [change] : [],
    )
  }
  const weekday = WEEKDAYS[new Date(day).getUTCDay()]!
  return openings.filter((opening) => opening.weekday === weekday)
}

function byNarrowness(a: HoursChange, b: HoursChange): number {
  return (
    widthOf(a) - widthOf(b) ||
    Number(a.resourceId === null) - Number(b.resourceId === null) ||
    dayOf(b.firstDay) - dayOf(a.firstDay)
  )
}

const widthOf = ({ firstDay, lastDay }: HoursChange) => (dayOf(lastDay) - dayOf(firstDay)) / DAY_MS

const dayOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
