/** A customer's choices on the booking page, which are all in the query of its address. */
import { listTimes, listTimesToMove } from '../../modules/appointments/list-times.ts'
import type { OfferedService, ShopRow } from '../../modules/appointments/load-shop.ts'
import type { MovableAppointment } from '../../modules/appointments/move-inputs.ts'
import { PAGE_LIMITS } from '../../core/limits/pages.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { instantAt, wallDayAt } from '../../rules/time/zone.ts'
import type { PageContext } from './page-env.ts'

/** A customer's choices so far. Days are wall times (`rules/time/zone`), in ms. */
export type Choice = {
  service: OfferedService
  /** The person who provides the service. Null for any person. */
  personId: string | null
  /** The first of the days that are shown. */
  from: number
  /** The chosen day, null before the choice. */
  day: number | null
  /** The chosen time, null before the choice. */
  at: Date | null
  /** True when the requested service or person is not available: the page offers others and books nothing. */
  isLost: boolean
  /** The appointment to move. Null while a new one is booked. */
  moved: MovableAppointment | null
}

/** A choice with the free times of the days that are shown. */
export type Offer = Choice & {
  /** The last of the days that are shown. */
  until: number
  /** True when there are other days to show. */
  hasEarlier: boolean
  hasLater: boolean
  /** The times of each day that has any. */
  days: Map<number, Date[]>
  /** True when another customer has taken the chosen time. */
  isGone: boolean
}

const SHOWN_MS = PAGE_LIMITS.daysShown * DAY_MS
const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/

/** Reads from the query what a customer chose for moving their appointment. */
export function readMoveChoice(
  c: PageContext,
  shop: ShopRow,
  moved: MovableAppointment & { serviceName: string; serviceNameAr: string | null },
): Choice {
  const { serviceId: id, serviceName: name, serviceNameAr: nameAr } = moved
  const minutes = (moved.endsAt.getTime() - moved.startsAt.getTime()) / MINUTE_MS
  const at = readMoment(c.req.query('at') ?? '')
  const when = readWhen(c, shop, at, wallDayAt(shop.zone, moved.startsAt.getTime()))
  return {
    service: { id, name, nameAr, minutes, people: [] },
    personId: null,
    ...when,
    isLost: false,
    moved,
  }
}

/**
 * Reads from the query what a customer chose. Returns null while none of several services is chosen. Unreadable
 * parameters count as missing.
 */
export function readChoice(
  c: PageContext,
  shop: ShopRow,
  services: readonly OfferedService[],
): Choice | null {
  const requested = (name: string) => c.req.query(name) ?? ''
  const named = services.find(({ id }) => id === requested('service'))
  const service = named ?? (services.length === 1 ? services[0] : undefined)
  if (!service) return null
  const personId = service.people.find(({ id }) => id === requested('with'))?.id ?? null
  const isAnother = named === undefined && requested('service') !== ''
  // A time that was chosen for another service does not apply.
  const at = isAnother ? null : readMoment(requested('at'))
  return {
    service,
    personId,
    ...readWhen(c, shop, at),
    isLost: isAnother || (personId === null && requested('with') !== ''),
    moved: null,
  }
}

/** Reads the days to show. By default they are the days around `usual`. */
function readWhen(
  c: PageContext,
  shop: ShopRow,
  at: Date | null,
  usual: number | null = null,
): Pick<Choice, 'from' | 'day' | 'at'> {
  const requested = (name: string) => readDay(c.req.query(name) ?? '')
  const today = wallDayAt(shop.zone, c.var.context.clock.now().getTime())
  const from = requested('from')
  const day = at ? wallDayAt(shop.zone, at.getTime()) : (requested('day') ?? (from ? null : usual))
  const last = today + shop.maxDays * DAY_MS
  return { from: firstShown(from ?? today, day, { first: today, last }), day, at }
}

/** Returns the first day to show: within the days that can be booked, and so that the chosen day is visible. */
function firstShown(
  requested: number,
  day: number | null,
  { first, last }: { first: number; last: number },
): number {
  const from = Math.min(Math.max(requested, first), last)
  if (day === null || day < first || day > last) return from
  if (from <= day && day < from + SHOWN_MS) return from
  return first + Math.floor((day - first) / SHOWN_MS) * SHOWN_MS
}

function readDay(text: string): number | null {
  return DAY.test(text) ? (readMoment(`${text}T00:00:00Z`)?.getTime() ?? null) : null
}

function readMoment(text: string): Date | null {
  if (!MOMENT.test(text)) return null
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? null : at
}

/** Adds the free times of the days that are shown to a choice. Spec: Appointments › Slots. */
export async function withFreeTimes(c: PageContext, shop: ShopRow, choice: Choice): Promise<Offer> {
  const { context } = c.var
  const { zone, companyId } = shop
  const today = wallDayAt(zone, context.clock.now().getTime())
  const range = {
    from: new Date(instantAt(zone, choice.from).at),
    to: new Date(instantAt(zone, choice.from + SHOWN_MS).at),
  }
  const { moved, personId: resourceId } = choice
  const times = moved
    ? await listTimesToMove(context, moved, range)
    : await listTimes(context, { companyId, serviceId: choice.service.id, resourceId, ...range })
  const days = Map.groupBy(times, (at) => wallDayAt(zone, at.getTime()))
  const at = times.find((time) => time.getTime() === choice.at?.getTime()) ?? null
  const isFree = choice.day !== null && days.has(choice.day)
  const day = isFree ? choice.day : ([...days.keys()][0] ?? null)
  const until = choice.from + SHOWN_MS - DAY_MS
  return {
    ...choice,
    day,
    at,
    days,
    until,
    hasEarlier: choice.from > today,
    hasLater: until < today + shop.maxDays * DAY_MS,
    isGone: choice.at !== null && at === null,
  }
}

type Step = {
  serviceId?: string
  personId?: string | null
  from?: number
  day?: number | null
  at?: Date | null
}

/** Returns the link of the next step: the query with the choices so far and those of `step`. */
export function hrefOf(c: PageContext, choice: Choice | null, step: Step, fragment = ''): string {
  const to = { ...choice, serviceId: choice?.service.id, ...step }
  const query = new URLSearchParams()
  const set = (name: string, value: string | null | undefined) => {
    if (value) query.set(name, value)
  }
  if (!choice?.moved) {
    set('service', to.serviceId)
    set('with', to.personId)
  }
  set('from', dayText(to.from))
  set('day', dayText(to.day))
  set('at', to.at?.toISOString())
  // The language is part of the address only when the customer chose one explicitly.
  if (c.req.query('lang')) query.set('lang', c.var.language)
  return `?${query.toString()}${fragment}`
}

const dayText = (day: number | null | undefined) =>
  day === null || day === undefined ? null : new Date(day).toISOString().slice(0, 10)

/** Returns the step to the days after those that are shown. */
export const toLaterDays = (offer: Offer) => ({ from: offer.from + SHOWN_MS, day: null, at: null })
/** Returns the step to the days before those that are shown. */
export const toEarlierDays = (offer: Offer) => ({
  from: offer.from - SHOWN_MS,
  day: null,
  at: null,
})
