/** The opening hours of resources, for the background of the calendar. */
import type { OpeningChangeView, ResourceView } from '../../contract/dashboard/booking-setup.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import {
  hoursOfDay,
  type HoursChange,
  type WeeklyHours,
} from '../../rules/appointments/hours-of-day.ts'
import type { Weekday } from '../../rules/flows/opening-hours.ts'
import { instantAt, wallAt } from '../../rules/time/zone.ts'
import { readClock } from './typed-values.ts'

/** A range in minutes from midnight of the day. */
export type Range = { from: number; to: number }

/**
 * Returns the ranges of a day, in the company's zone, in which at least one resource is available, in order and merged.
 */
export function openRanges(
  resources: readonly ResourceView[],
  changes: readonly OpeningChangeView[],
  { zone, day }: { zone: string; day: number },
): Range[] {
  const known = changes.map(toChange)
  const ranges = resources.flatMap((resource) => {
    const own = resource.zone ?? zone
    const openings = toOpenings(resource)
    // Hours of a neighbouring day may extend into this one: past midnight, or in another zone.
    return [day - DAY_MS, day, day + DAY_MS].flatMap((near) =>
      hoursOfDay({ id: resource.id, openings }, known, near).map(({ fromMin, toMin }) => {
        const wallFrom = wallAt(zone, instantAt(own, near + fromMin * MINUTE_MS).at)
        const wallTo = wallAt(zone, instantAt(own, near + toMin * MINUTE_MS).at)
        return { from: (wallFrom - day) / MINUTE_MS, to: (wallTo - day) / MINUTE_MS }
      }),
    )
  })
  return unite(ranges.map(cutToDay).filter(({ from, to }) => from < to))
}

const DAY_MIN = DAY_MS / MINUTE_MS

const cutToDay = ({ from, to }: Range): Range => ({
  from: Math.max(0, from),
  to: Math.min(DAY_MIN, to),
})

function unite(ranges: readonly Range[]): Range[] {
  const united: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = united.at(-1)
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else united.push({ ...range })
  }
  return united
}

/** Returns the ranges between the open ones, within a part of the day. */
export function closedRanges(open: readonly Range[], shown: Range): Range[] {
  const edges = [shown.from, ...open.flatMap(({ from, to }) => [from, to]), shown.to]
  return Array.from({ length: edges.length / 2 }, (_, n) => ({
    from: Math.max(shown.from, edges[n * 2]!),
    to: Math.min(shown.to, edges[n * 2 + 1]!),
  })).filter(({ from, to }) => from < to)
}

function toOpenings({ hours }: ResourceView): WeeklyHours[] {
  return Object.entries(hours).flatMap(([weekday, ranges]) =>
    (ranges ?? []).map(({ from, to }) => ({
      weekday: weekday as Weekday,
      fromMin: readClock(from)!,
      toMin: readClock(to)!,
    })),
  )
}

function toChange({ resourceId, firstDay, lastDay, hours }: OpeningChangeView): HoursChange {
  const days = { resourceId, firstDay, lastDay }
  if (hours === null) return { ...days, isClosed: true }
  return {
    ...days,
    isClosed: false,
    fromMin: readClock(hours.from)!,
    toMin: readClock(hours.to)!,
  }
}
