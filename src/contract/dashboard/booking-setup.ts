/** Services, resources, opening hours and the booking page. Spec: Appointments › Services. */
import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { BOOKING_SETUP_LIMITS as LIMITS } from '../../core/limits/appointments.ts'
import { WEEKDAYS, type Weekday } from '../../rules/flows/opening-hours.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { isTimeZone } from '../../rules/time/zone.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../../core/vocabulary/appointments.ts'
import { failsWith, ruleCode } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import { nightTime, wallTime } from './wall-time.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { TEMPLATE_FORM } from '../../core/limits/messaging.ts'
import { timeInput } from '../../schemas/time-input.ts'
import { orderedPageQuery, storableTime } from './ordered-page.ts'
import type { List, Page } from './page.ts'
import type { Route } from './route.ts'

const name = formText(1, LIMITS.nameChars)
const zone = z.string().refine(isTimeZone, failsWith(fact('wrong_time_zone')))
const buffer = z.int().min(0).max(LIMITS.bufferMin)

const need = z.strictObject({
  resourceId: uuidInput,
  /** One resource of each role takes part, and any resource of that role is suitable. */
  role: formText(0, LIMITS.roleChars).default(''),
})

const service = z.strictObject({
  name,
  /** The name for readers of Arabic. */
  nameAr: name.nullable(),
  minutes: z.int().min(LIMITS.minMinutes).max(LIMITS.minutes),
  beforeMin: buffer,
  afterMin: buffer,
  /** Minutes from one start to the next. */
  stepMin: z.int().min(LIMITS.minStepMin).max(LIMITS.stepMin),
  isOn: z.boolean(),
  needs: z
    .array(need)
    .max(LIMITS.needs)
    .refine(
      (needs) => new Set(needs.map(({ resourceId }) => resourceId)).size === needs.length,
      failsWith(fact('value_twice')),
    )
    .refine(
      (needs) => new Set(needs.map(({ role }) => role)).size <= LIMITS.roles,
      failsWith(fact('too_many_roles', { max: LIMITS.roles })),
    ),
})

export const CreateService = service.partial().required({ name: true, minutes: true, needs: true })
export type CreateService = z.output<typeof CreateService>

/** The fields to change. Given needs replace all stored ones. */
export const EditService = service.partial()
export type EditService = z.output<typeof EditService>

/** An input type with every optional field required. */
type Whole<Input> = { [Key in keyof Input]-?: Exclude<Input[Key], undefined> }

export type ServiceView = Whole<EditService> & {
  id: string
  /** The service is on, and each role has an active resource with opening hours. */
  canBeBooked: boolean
  updatedAt: string
}

const hours = z
  .strictObject({ from: wallTime, to: nightTime })
  .refine(({ from, to }) => from < to, failsWith(fact('opening_ends_before_it_begins')))

const WEEK_MIN = 7 * 24 * 60

/** Returns true if no opening hours of a week overlap. The last night of the week ends in the first day. */
function areApart(week: Partial<Record<Weekday, { from: number; to: number }[]>>): boolean {
  const all = WEEKDAYS.flatMap((weekday, day) =>
    (week[weekday] ?? []).map(({ from, to }) => ({
      from: day * 24 * 60 + from,
      to: day * 24 * 60 + to,
    })),
  ).toSorted((a, b) => a.from - b.from)
  const [first] = all
  const behind = first ? [...all, { from: first.from + WEEK_MIN, to: first.to + WEEK_MIN }] : []
  return behind.every(({ from }, place) => place === 0 || from >= behind[place - 1]!.to)
}

const resource = z.strictObject({
  name,
  nameAr: name.nullable(),
  kind: z.enum(RESOURCE_KINDS),
  /** The member that a person is. */
  personId: uuidInput.nullable(),
  /** Null means the zone of the booking page. */
  zone: zone.nullable(),
  isOn: z.boolean(),
  /** The weekly opening hours. A day that is left out is closed. */
  hours: z
    .partialRecord(z.enum(WEEKDAYS), z.array(hours).max(LIMITS.hoursOfDay))
    .refine(areApart, failsWith(fact('openings_overlap'))),
})

export const CreateResource = resource.partial().required({ name: true, kind: true })
export type CreateResource = z.output<typeof CreateResource>

/** The fields to change. Given hours replace all stored ones. The kind of a resource is fixed. */
export const EditResource = resource.omit({ kind: true }).partial()
export type EditResource = z.output<typeof EditResource>

export type HoursView = { from: string; to: string }
export type ResourceView = {
  id: string
  name: string
  nameAr: string | null
  kind: ResourceKind
  personId: string | null
  zone: string | null
  isOn: boolean
  hours: { [Day in Weekday]?: HoursView[] | undefined }
  updatedAt: string
}

/** A calendar date without a zone. */
const day = z.iso.date().regex(/^2\d{3}/, ruleCode('wrong_day'))

const openingChange = z.strictObject({
  /** Null means all resources. */
  resourceId: uuidInput.nullable(),
  firstDay: day,
  lastDay: day,
  /** Null means that the days are closed. */
  hours: hours.nullable(),
  /** A note for members about the reason. */
  name: formText(0, LIMITS.nameChars).nullable(),
})

export const CreateOpeningChange = openingChange
  .partial({ resourceId: true, name: true })
  .refine(({ firstDay, lastDay }) => firstDay <= lastDay, {
    path: ['lastDay'],
    ...failsWith(fact('days_in_order')),
  })
export type CreateOpeningChange = z.output<typeof CreateOpeningChange>

/** The fields to change. The resource of an opening change is fixed. */
export const EditOpeningChange = openingChange.omit({ resourceId: true }).partial()
export type EditOpeningChange = z.output<typeof EditOpeningChange>

export type OpeningChangeView = {
  id: string
  resourceId: string | null
  firstDay: string
  lastDay: string
  hours: HoursView | null
  name: string | null
}

const colour = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, ruleCode('wrong_colour'))
const text = (max: number) => formText(1, max).nullable()

/** The fields to change. */
export const EditBookingPage = z
  .strictObject({
    slug: z
      .string()
      .min(LIMITS.minSlugChars)
      .max(LIMITS.slugChars)
      .regex(/^[a-z0-9](-?[a-z0-9])*$/, ruleCode('wrong_slug'))
      .nullable(),
    isOn: z.boolean(),
    /** Null means the company's zone. */
    zone: zone.nullable(),
    minNoticeMin: z.int().min(0).max(LIMITS.minNoticeMin),
    maxDays: z.int().min(1).max(LIMITS.maxDays),
    cancelUntilMin: z.int().min(0).max(LIMITS.cancelUntilMin),
    name: text(LIMITS.nameChars),
    nameAr: text(LIMITS.nameChars),
    intro: text(LIMITS.introChars),
    introAr: text(LIMITS.introChars),
    address: text(LIMITS.addressChars),
    addressAr: text(LIMITS.addressChars),
    phone: text(LIMITS.phoneChars),
    colour: colour.nullable(),
    background: colour.nullable(),
    /** The channel of notices to customers without a conversation that can receive a message at that time. */
    noticeChannelId: uuidInput.nullable(),
    noticeTemplate: z.string().min(1).max(TEMPLATE_FORM.nameChars).transform(cleanText).nullable(),
  })
  .partial()
export type EditBookingPage = z.output<typeof EditBookingPage>

export type BookingPageView = Whole<EditBookingPage> & {
  /** Null as long as it has no slug. */
  url: string | null
}

/** A member's query for free slots from `from` until before `to`. The booking page's notice and range do not apply. */
export const SlotQuery = z.object({
  serviceId: uuidInput,
  /** Only with this one of its resources. */
  resourceId: uuidInput.optional(),
  /** An appointment that is about to be moved. Its own time counts as free. */
  movedId: uuidInput.optional(),
  from: timeInput,
  to: timeInput,
})
export type SlotQuery = z.output<typeof SlotQuery>

export type SlotsView = {
  /** IANA name: `local` is wall time in it. */
  zone: string
  items: { startsAt: string; local: string }[]
}

/** A query for a list of upcoming appointments by their start. */
export const StartPageQuery = orderedPageQuery(storableTime, uuidInput)
export type StartPageQuery = z.output<typeof StartPageQuery>

/** An upcoming appointment outside of the hours of its resources. */
export type OutsideView = {
  id: string
  reference: string
  serviceName: string
  customerName: string | null
  startsAt: string
  zone: string
  /** The wall time of the start in the zone: `2027-01-04T11:00`. */
  local: string
  /** Names of the resources whose hours do not include it. */
  missing: string[]
}

/** An appointment that a change of the clocks moved: `wanted` is its old wall time, `local` its new one. */
export type ShiftedView = {
  id: string
  reference: string
  serviceName: string
  customerName: string | null
  startsAt: string
  zone: string
  wanted: string
  local: string
}

export interface BookingSetupRoutes {
  '/companies/:companyId/services': {
    get: Route<List<ServiceView>>
    post: Route<ServiceView, { json: typeof CreateService }>
  }
  '/companies/:companyId/services/:serviceId': {
    get: Route<ServiceView>
    patch: Route<ServiceView, { json: typeof EditService }>
    delete: Route<null>
  }
  '/companies/:companyId/resources': {
    get: Route<List<ResourceView>>
    post: Route<ResourceView, { json: typeof CreateResource }>
  }
  '/companies/:companyId/resources/:resourceId': {
    patch: Route<ResourceView, { json: typeof EditResource }>
    delete: Route<null>
  }
  '/companies/:companyId/opening-changes': {
    get: Route<List<OpeningChangeView>>
    post: Route<OpeningChangeView, { json: typeof CreateOpeningChange }>
  }
  '/companies/:companyId/opening-changes/:changeId': {
    patch: Route<OpeningChangeView, { json: typeof EditOpeningChange }>
    delete: Route<null>
  }
  '/companies/:companyId/booking-page': {
    get: Route<BookingPageView>
    patch: Route<BookingPageView, { json: typeof EditBookingPage }>
  }
  '/companies/:companyId/slots': { get: Route<SlotsView, { query: typeof SlotQuery }> }
  '/companies/:companyId/appointments/outside-hours': {
    get: Route<Page<OutsideView>, { query: typeof StartPageQuery }>
  }
  '/companies/:companyId/appointments/shifted': {
    get: Route<Page<ShiftedView>, { query: typeof StartPageQuery }>
  }
}
