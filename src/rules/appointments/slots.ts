/**
 * Computes the offered starts of a service and the resources that take one. Pure: the result depends on the rows and
 * the moment alone. Spec: Appointments › Slots; readings A24, A25, A27.
 */
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import type { ResourceKind } from '../../core/vocabulary/appointments.ts'
import { accept, refuse, type Result } from '../result.ts'
import { instantAt, wallAt, wallDayAt } from '../time/zone.ts'
import { hoursOfDay, type Hours, type HoursChange, type WeeklyHours } from './hours-of-day.ts'

/** The length of a service, and the steps at which it may start. */
export type SlotService = {
  minutes: number
  /** Minutes that stay free before and after. */
  beforeMin: number
  afterMin: number
  /** Minutes between starts by the clock, counted from the opening of the hours of its people, or else of its rooms. */
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
  /** The span of each appointment, including the free minutes around it. */
  busy: readonly { from: Date; to: Date }[]
}

/** The rows and the moment from which starts are computed. */
export type SlotInputs = {
  service: SlotService
  /** All resources of the service, in any order. */
  resources: readonly SlotResource[]
  changes: readonly HoursChange[]
  /** Days are those of `zone`; the last one is `maxDays` after today, as a whole. */
  page: { zone: string; minNoticeMin: number; maxDays: number }
  now: Date
}

type Range = { from: Date; to: Date }

/**
 * Returns a function that lists the starts of a part of the range, sorted and distinct: at or after `from` and before
 * `to`. Hours and busy spans are read once for all parts.
 */
export function createSlotLister(facts: SlotInputs, whole: Range): (part: Range) => Date[] {
  const bounds = within(boundsOf(facts), whole)
  const calendars = bounds.from < bounds.to ? readCalendars(facts, bounds) : []
  const leads = leadsOf(calendars)
  return (part) => {
    const span = within(bounds, part)
    const starts = new Set<number>()
    for (const lead of leads) for (const start of stepsOf(lead, span)) starts.add(start)
    return [...starts].toSorted((a, b) => a - b).map((start) => new Date(start))
  }
}

/** A calendar whose hours define the steps, with the starts that it can take while every role has a free resource. */
type Lead = { calendar: Calendar; windows: readonly Window[]; free: readonly Span[] }

function leadsOf(calendars: readonly Calendar[]): Lead[] {
  const own = calendars.map((calendar) => ({ calendar, free: freeStarts(calendar) }))
  const roles = [...Map.groupBy(own, ({ calendar }) => calendar.resource.role).values()]
  const ofRoles = roles.map((able) => join(able.flatMap(({ free }) => free)))
  const [first = [], ...others] = ofRoles
  const offered = others.reduce(common, first)
  return own
    .filter(({ calendar }) => calendar.isLeading)
    .map(({ calendar, free }) => {
      const windows = [...calendar.windows.values()].flat()
      return { calendar, windows, free: common(free, offered) }
    })
}

/** Returns the starts at which a calendar is free, as sorted spans. It agrees with `openAt` at every start. */
function freeStarts({ service, windows, busy }: Calendar): Span[] {
  const { minutes, beforeMin, afterMin } = service
  const open = [...windows.values()].flat().map(({ opens, closes, until }) => ({
    from: opens,
    to: Math.min(closes, until - minutes * MINUTE_MS + 1),
  }))
  const taken = busy.map(({ from, to }) => ({
    from: from - (minutes + afterMin) * MINUTE_MS + 1,
    to: to + beforeMin * MINUTE_MS,
  }))
  return without(join(open), join(taken))
}

/** Yields the steps of a calendar at which it and a resource of every other role are free. */
function* stepsOf({ calendar, windows, free }: Lead, span: Span): Generator<number> {
  const { resource, service } = calendar
  const stepMs = service.stepMin * MINUTE_MS
  for (const { opens, closes, day, hours } of windows) {
    if (closes <= span.from || opens >= span.to) continue
    const isEven = closes - opens === (hours.toMin - hours.fromMin) * MINUTE_MS
    const odd = isEven ? [] : startsIn(resource.zone, { day, hours }, service.stepMin, span)
    for (let at = indexAfter(free, Math.max(opens, span.from)); at < free.length; at += 1) {
      const from = Math.max(free[at]!.from, opens, span.from)
      const to = Math.min(free[at]!.to, closes, span.to)
      if (from >= closes || from >= span.to) break
      const first = opens + Math.ceil((from - opens) / stepMs) * stepMs
      if (isEven) for (let start = first; start < to; start += stepMs) yield start
      else yield* odd.filter((start) => start >= from && start < to)
    }
  }
}

/** Joins sorted spans that overlap or touch, and drops empty ones. */
function join(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (from >= to) continue
    const before = joined.at(-1)
    if (before && from <= before.to) before.to = Math.max(before.to, to)
    else joined.push({ from, to })
  }
  return joined
}

/** Returns the intersection of two sorted lists of spans, sorted. */
function common(some: readonly Span[], others: readonly Span[]): Span[] {
  const both: Span[] = []
  for (let a = 0, b = 0; a < some.length && b < others.length;) {
    const [one, other] = [some[a]!, others[b]!]
    const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)]
    if (from < to) both.push({ from, to })
    if (one.to < other.to) a += 1
    else b += 1
  }
  return both
}

/** Returns the spans without the taken ones; both lists and the result are sorted. */
function without(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const gaps: Span[] = []
  let from = -Infinity
  for (const one of taken) {
    gaps.push({ from, to: one.from })
    from = one.to
  }
  gaps.push({ from, to: Infinity })
  return common(spans, gaps)
}

const within = ({ from, to }: Span, range: Range): Span => ({
  from: Math.max(from, range.from.getTime()),
  to: Math.min(to, range.to.getTime()),
})

/**
 * Picks the resources that take a start: per role the one with the fewest appointments on that day, then the lowest id.
 * Refuses with `slot_taken` when the start is not offered, for any reason.
 */
export function pickSlotResources(
  facts: SlotInputs,
  startsAt: Date,
): Result<string[], 'slot_taken'> {
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

/** Returns whether a resource's hours include the whole service, regardless of other appointments. */
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

function boundsOf({ page, now }: SlotInputs): { from: number; to: number } {
  const today = wallDayAt(page.zone, now.getTime())
  return {
    from: now.getTime() + page.minNoticeMin * MINUTE_MS,
    to: instantAt(page.zone, today + (page.maxDays + 1) * DAY_MS).at,
  }
}

type Span = { from: number; to: number }
/**
 * Hours as instants, with the day that they are counted from. `until` is the end of the hours that continue them
 * without a gap.
 */
type Window = { opens: number; closes: number; until: number; day: number; hours: Hours }
/** Hours by the day that they are counted from. */
type Windows = ReadonlyMap<number, readonly Window[]>
type Calendar = {
  resource: SlotResource
  service: SlotService
  windows: Windows
  /** True when the hours of this calendar define the steps. */
  isLeading: boolean
  /** Sorted spans that do not overlap. */
  busy: Span[]
}

function readCalendars({ resources, changes, service }: SlotInputs, span: Span): Calendar[] {
  const hasPeople = resources.some(({ kind }) => kind === 'person')
  return resources.map((resource) => ({
    resource,
    service,
    isLeading: resource.kind === 'person' || !hasPeople,
    windows: windowsOf(resource, changes, span),
    busy: unite(resource.busy),
  }))
}

/**
 * Returns the windows of the days that a span meets, of the day before, whose hours may reach into them, and of the day
 * after, which they may touch.
 */
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

/** Extends `until` of hours that others continue without a gap, since they are one span for the people in them. */
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

/** Returns the steps of a window by the clock, without the times that the clock skips. */
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

/** Returns the resources that may take a start, one list per role; null when the start is not offered. */
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
 * Returns whether a resource can take a start. Its hours, with touching ranges joined, must include the whole service,
 * and it must be free. Durations are elapsed time, not clock time.
 */
function fitOf(calendar: Calendar, start: number): 'no' | 'open' | 'on_step' {
  const open = openAt(calendar, start)
  if (open.length === 0) return 'no'
  const isStart = calendar.isLeading && open.some((window) => isOnStep(calendar, window, start))
  return isStart ? 'on_step' : 'open'
}

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
  const [min] = able
    .map((calendar) => ({ id: calendar.resource.id, taken: taken(calendar) }))
    .toSorted((a, b) => a.taken - b.taken || (a.id < b.id ? -1 : 1))
  return min!.id
}

const unite = (busy: SlotResource['busy']): Span[] =>
  join(busy.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() })))

const firstEndingAfter = (spans: readonly Span[], at: number): Span | undefined =>
  spans[indexAfter(spans, at)]

/** Returns the index of the first of sorted spans that ends after a moment. */
function indexAfter(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.to > at) high = middle
    else low = middle + 1
  }
  return low
}
