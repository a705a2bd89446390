/**
 * Which starts of a service are offered, and who takes one. Pure: of what stands in the rows and of the
 * moment alone. Spec: Appointments › Slots; readings A24, A25, A27.
 */
import { DAY_MS, MINUTE_MS } from '../../limits/units.ts'
import type { ResourceKind } from '../../vocabulary/appointments.ts'
import { accept, refuse, type Result } from '../result.ts'
import { instantAt, wallAt, wallDayAt } from '../time/zone.ts'
import { hoursOfDay, type Hours, type HoursChange, type WeeklyHours } from './hours-of-day.ts'

export type SlotService = {
  minutes: number
  /** Kept free around it. */
  beforeMin: number
  afterMin: number
  /** From one start to the next, by the clock: from when the hours of its people begin, else of its rooms. */
  stepMin: number
}

/** A person or a room that the service needs. One of each role takes part. */
export type SlotResource = {
  id: string
  kind: ResourceKind
  role: string
  /** IANA name. */
  zone: string
  openings: readonly WeeklyHours[]
  /** One an appointment, what is kept free around it included. */
  busy: readonly { from: Date; to: Date }[]
}

export type SlotFacts = {
  service: SlotService
  /** All that take part, in any order. */
  resources: readonly SlotResource[]
  changes: readonly HoursChange[]
  /** Days are those of `zone`; the last is that of now and `maxDays` more, as a whole. */
  page: { zone: string; minNoticeMin: number; maxDays: number }
  now: Date
}

type Range = { from: Date; to: Date }

/** Starts from `from` on and before `to`, in order, each once. */
export function offerSlots(facts: SlotFacts, range: Range): Date[] {
  return createOffer(facts, range)(range)
}

/** Offers parts of a range, one after the other: hours and what is taken are read once for all of it. */
export function createOffer(facts: SlotFacts, whole: Range): (part: Range) => Date[] {
  const bounds = within(boundsOf(facts), whole)
  const calendars = bounds.from < bounds.to ? readCalendars(facts, bounds) : []
  return (part) => {
    const span = within(bounds, part)
    const starts = startsOf(calendars, span)
    return [...new Set([...starts.values()].flatMap((own) => [...own]))]
      .filter((start) => isOffered(calendars, starts, start))
      .toSorted((a, b) => a - b)
      .map((start) => new Date(start))
  }
}

type Starts = ReadonlyMap<Calendar, ReadonlySet<number>>

/** Returns the steps of each leading calendar. Those with the same hours of a day have theirs worked out once. */
function startsOf(calendars: readonly Calendar[], span: Span): Starts {
  const known = new Map<string, readonly number[]>()
  const stepsOf = ({ resource: { zone }, service }: Calendar, { day, hours }: Window) => {
    const key = `${zone} ${day} ${hours.fromMin} ${hours.toMin}`
    const steps = known.get(key) ?? startsIn(zone, { day, hours }, service.stepMin, span)
    known.set(key, steps)
    return steps
  }
  return new Map(
    calendars
      .filter(({ isLeading }) => isLeading)
      .map((calendar) => {
        const windows = [...calendar.windows.values()].flat()
        const open = windows.filter(({ opens, closes }) => closes > span.from && opens < span.to)
        return [calendar, new Set(open.flatMap((window) => stepsOf(calendar, window)))]
      }),
  )
}

/** Whether each role has somebody at a start, and one of them begins a step there. */
function isOffered(calendars: readonly Calendar[], starts: Starts, start: number): boolean {
  const open = new Map<string, boolean>()
  let isStep = false
  for (const calendar of calendars) {
    const { role } = calendar.resource
    const isHere = starts.get(calendar)?.has(start) === true
    if (open.get(role) === true && (isStep || !isHere)) continue
    const fits = isFree(calendar, start)
    isStep ||= fits && isHere
    open.set(role, (open.get(role) ?? false) || fits)
  }
  return isStep && [...open.values()].every(Boolean)
}

const within = ({ from, to }: Span, range: Range): Span => ({
  from: Math.max(from, range.from.getTime()),
  to: Math.min(to, range.to.getTime()),
})

/**
 * Who takes a start: of each role the one with the fewest appointments on that day, of equal ones the
 * lowest id. `slot_taken` where it is not offered, for whatever reason.
 */
export function takeSlot(facts: SlotFacts, startsAt: Date): Result<string[], 'slot_taken'> {
  const start = startsAt.getTime()
  const bounds = boundsOf(facts)
  if (start < bounds.from || start >= bounds.to) return refuse('slot_taken')
  const calendars = readCalendars(facts, { from: start, to: start + 1 })
  const takers = takersAt(calendars, start)
  if (!takers) return refuse('slot_taken')
  return accept(
    takers
      .map((able) => leastBusy(able, facts.page.zone, start))
      .toSorted((a, b) => (a < b ? -1 : 1)),
  )
}

/** Whether somebody's hours hold the whole service, whatever else stands in them. */
export function isWithinHours(
  resource: Pick<SlotResource, 'id' | 'zone' | 'openings'>,
  changes: readonly HoursChange[],
  { startsAt, minutes }: { startsAt: Date; minutes: number },
): boolean {
  const start = startsAt.getTime()
  const windows = windowsOf(resource, changes, { from: start, to: start + 1 })
  const service = { from: start, to: start + minutes * MINUTE_MS }
  return holding(resource.zone, windows, service).length > 0
}

function boundsOf({ page, now }: SlotFacts): { from: number; to: number } {
  const today = wallDayAt(page.zone, now.getTime())
  return {
    from: now.getTime() + page.minNoticeMin * MINUTE_MS,
    to: instantAt(page.zone, today + (page.maxDays + 1) * DAY_MS).at,
  }
}

type Span = { from: number; to: number }
/** Hours as they come to pass, and what they are counted from. `until`: where others begin as they end, the end of those. */
type Window = { opens: number; closes: number; until: number; day: number; hours: Hours }
/** Hours by the day that they are counted from. */
type Windows = ReadonlyMap<number, readonly Window[]>
type Calendar = {
  resource: SlotResource
  service: SlotService
  windows: Windows
  /** Its hours say where steps begin. */
  isLeading: boolean
  /** In order, none of which meets another. */
  busy: Span[]
}

function readCalendars({ resources, changes, service }: SlotFacts, span: Span): Calendar[] {
  const hasPeople = resources.some(({ kind }) => kind === 'person')
  return resources.map((resource) => ({
    resource,
    service,
    isLeading: resource.kind === 'person' || !hasPeople,
    windows: windowsOf(resource, changes, span),
    busy: unite(resource.busy),
  }))
}

/** Of the days that a span meets, of the one before, whose hours may reach into them, and of the one behind, which they may touch. */
function windowsOf(
  resource: Pick<SlotResource, 'id' | 'zone' | 'openings'>,
  changes: readonly HoursChange[],
  span: Span,
): Windows {
  const { zone } = resource
  const windows = new Map<number, Window[]>()
  const last = wallDayAt(zone, span.to - 1) + DAY_MS
  for (let day = wallDayAt(zone, span.from) - DAY_MS; day <= last; day += DAY_MS) {
    const ofDay = hoursOfDay(resource, changes, day).map((hours) => {
      const closes = instantAt(zone, day + hours.toMin * MINUTE_MS).at
      const opens = instantAt(zone, day + hours.fromMin * MINUTE_MS).at
      return { opens, closes, until: closes, day, hours }
    })
    windows.set(day, ofDay)
  }
  joinTouching([...windows.values()].flat())
  return windows
}

/** Hours of which one begins as, or before, another ends are one stretch to who works in them. */
function joinTouching(windows: readonly Window[]): void {
  let next: Window | undefined
  for (const window of windows.toSorted((a, b) => b.opens - a.opens)) {
    if (next && next.opens <= window.closes) window.until = Math.max(window.closes, next.until)
    next = window
  }
}

function holding(zone: string, windows: Windows, { from, to }: Span): Window[] {
  const day = wallDayAt(zone, from)
  const near = [...(windows.get(day) ?? []), ...(windows.get(day - DAY_MS) ?? [])]
  return near.filter(({ opens, closes, until }) => opens <= from && from < closes && to <= until)
}

/** Steps of its own hours, by the clock: what the clock leaps over is none. */
function startsIn(
  zone: string,
  { day, hours }: Pick<Window, 'day' | 'hours'>,
  stepMin: number,
  { from, to }: Span,
): number[] {
  const starts: number[] = []
  for (let minute = hours.fromMin; minute < hours.toMin; minute += stepMin) {
    const { at, isShown } = instantAt(zone, day + minute * MINUTE_MS)
    if (at >= to) break
    if (isShown && at >= from) starts.push(at)
  }
  return starts
}

/** Who may take a start, a list a role; null where it is not offered. */
function takersAt(calendars: readonly Calendar[], start: number): Calendar[][] | null {
  const roles = new Map<string, { open: Calendar[]; onStep: Calendar[] }>()
  for (const calendar of calendars) {
    const { role } = calendar.resource
    const able = roles.get(role) ?? { open: [], onStep: [] }
    roles.set(role, able)
    const fit = fitOf(calendar, start)
    if (fit !== 'no') able.open.push(calendar)
    if (fit === 'on_step') able.onStep.push(calendar)
  }
  const all = [...roles.values()]
  if (!all.some(({ onStep }) => onStep.length > 0)) return null
  if (!all.every(({ open }) => open.length > 0)) return null
  return all.map(({ open, onStep }) => (onStep.length > 0 ? onStep : open))
}

/**
 * Whether a resource can take a start: its hours, those that touch as one, hold the whole service, and nothing else
 * is there. Lengths are time that passes, not what the clock shows.
 */
function fitOf(calendar: Calendar, start: number): 'no' | 'open' | 'on_step' {
  const open = openAt(calendar, start)
  if (open.length === 0) return 'no'
  const isStart = calendar.isLeading && open.some((window) => isOnStep(calendar, window, start))
  return isStart ? 'on_step' : 'open'
}

const isFree = (calendar: Calendar, start: number) => openAt(calendar, start).length > 0

function openAt({ resource, service, windows, busy }: Calendar, start: number): Window[] {
  const end = start + service.minutes * MINUTE_MS
  const kept = {
    from: start - service.beforeMin * MINUTE_MS,
    to: end + service.afterMin * MINUTE_MS,
  }
  const next = firstEndingAfter(busy, kept.from)
  if (next && next.from < kept.to) return []
  return holding(resource.zone, windows, { from: start, to: end })
}

function isOnStep({ resource, service }: Calendar, { day, hours }: Window, start: number): boolean {
  const wall = wallAt(resource.zone, start)
  if (instantAt(resource.zone, wall).at !== start) return false
  return ((wall - day) / MINUTE_MS - hours.fromMin) % service.stepMin === 0
}

function leastBusy(able: readonly Calendar[], zone: string, start: number): string {
  const day = wallDayAt(zone, start)
  const taken = ({ resource }: Calendar) =>
    resource.busy.filter(({ from }) => wallDayAt(zone, from.getTime()) === day).length
  const [least] = able
    .map((calendar) => ({ id: calendar.resource.id, taken: taken(calendar) }))
    .toSorted((a, b) => a.taken - b.taken || (a.id < b.id ? -1 : 1))
  return least!.id
}

function unite(busy: SlotResource['busy']): Span[] {
  const united: Span[] = []
  const spans = busy.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }))
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const before = united.at(-1)
    if (before && span.from <= before.to) before.to = Math.max(before.to, span.to)
    else united.push(span)
  }
  return united
}

/** Of spans in order. */
function firstEndingAfter(spans: readonly Span[], at: number): Span | undefined {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.to > at) high = middle
    else low = middle + 1
  }
  return spans[low]
}
