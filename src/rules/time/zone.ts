/**
 * Converts between instants and the wall time of time zones. The zones are those of the runtime; the transitions of a
 * zone are computed once per year and cached. Wall time is in milliseconds as if it were UTC. Spec: Appointments ›
 * Times.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/limits/units.ts'
import { createFormatCache, MAX_CACHED_FORMATS } from './format-cache.ts'

/** Returns whether the runtime knows a time zone by this name, in any case. An offset is no name. */
export function isTimeZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format() !== ''
  } catch {
    return false
  }
}

/** Returns the wall time in a zone at an instant, in ms as if it were UTC. */
export function wallAt(zone: string, at: number): number {
  return at + stretchAt(zone, at).offset
}

/** Returns midnight, in wall time, of the local day at an instant. */
export function wallDayAt(zone: string, at: number): number {
  return Math.floor(wallAt(zone, at) / DAY_MS) * DAY_MS
}

/** Returns the wall time at an instant, as `2027-02-08T21:00`. */
export function wallTextAt(zone: string, at: Date): string {
  return new Date(wallAt(zone, at.getTime())).toISOString().slice(0, 16)
}

/**
 * Returns the instant at which the clock first shows a wall time. A time that occurs twice gives the first instant. A
 * skipped time gives the instant of the transition, and `isShown` is false.
 */
export function instantAt(zone: string, wall: number): { at: number; isShown: boolean } {
  for (
    let stretch = stretchAt(zone, wall - MAX_OFFSET_MS);
    ;
    stretch = stretchAt(zone, stretch.to)
  ) {
    const at = Math.max(stretch.from, wall - stretch.offset)
    if (at < stretch.to) return { at, isShown: at + stretch.offset === wall }
  }
}

/** The maximum offset of any clock from UTC. */
const MAX_OFFSET_MS = 15 * HOUR_MS

/** A period without a transition of a zone's clocks; it ends at the latest with a year of UTC. */
type Stretch = { from: number; to: number; offset: number }

/** The cached years of a zone, and the period that was read last. */
type Known = { years: Map<number, Stretch[]>; last: Stretch }

const zones = new Map<string, Known>()

/**
 * The earliest instant whose offset is read. Users may enter any year, and `Intl` formats years of fewer digits
 * differently.
 */
const FIRST_AT = Date.UTC(1900, 0)

function stretchAt(zone: string, at: number): Stretch {
  if (at < FIRST_AT) return { ...stretchAt(zone, FIRST_AT), from: -Infinity, to: FIRST_AT }
  const known = zones.get(zone)
  if (known && known.last.from <= at && at < known.last.to) return known.last
  const year = new Date(at).getUTCFullYear()
  const stretches = known?.years.get(year) ?? readYear(zone, year)
  const last = stretches.findLast(({ from }) => from <= at)!
  if (known) {
    if (known.years.size >= MAX_YEARS) known.years.clear()
    known.years.set(year, stretches)
    known.last = last
  } else {
    if (zones.size >= MAX_CACHED_FORMATS) zones.clear()
    zones.set(zone, { years: new Map([[year, stretches]]), last })
  }
  return last
}

/** The limit of cached years per zone. */
const MAX_YEARS = 50

/**
 * The step in the search for transitions. It is shorter than any temporary change of clocks; the shortest is Ramadan in
 * Morocco.
 */
const LOOK_EVERY_MS = 7 * DAY_MS

function readYear(zone: string, year: number): Stretch[] {
  const end = Date.UTC(year + 1, 0)
  const stretches: Stretch[] = []
  let from = Date.UTC(year, 0)
  let offset = readOffset(zone, from)
  for (let looked = from; looked < end; looked += LOOK_EVERY_MS) {
    const next = Math.min(looked + LOOK_EVERY_MS, end)
    const later = readOffset(zone, next)
    if (later === offset) continue
    const change = findChange(zone, looked, next)
    stretches.push({ from, to: change, offset })
    from = change
    offset = later
  }
  return [...stretches, { from, to: end, offset }].filter((stretch) => stretch.from < stretch.to)
}

/** Finds a transition by bisection, to the second. */
function findChange(zone: string, from: number, to: number): number {
  const before = readOffset(zone, from)
  let [low, high] = [from, to]
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2 / SECOND_MS) * SECOND_MS
    if (readOffset(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

const formats = createFormatCache()

function readOffset(zone: string, at: number): number {
  const format = formats.get(
    zone,
    () =>
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  )
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!
  const day = Date.UTC(of('year'), of('month') - 1, of('day'))
  const wall = day + of('hour') * HOUR_MS + of('minute') * MINUTE_MS + of('second') * SECOND_MS
  return wall - at
}
