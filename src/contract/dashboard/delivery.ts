import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { DELIVERY_LIMITS, LOG_LIMITS } from '../../core/limits/deliveries.ts'
import {
  ATTEMPT_ERRORS,
  DELIVERY_KINDS,
  DELIVERY_STATES,
  DELIVERY_VIEWS,
  type AttemptError,
  type DeliveryBadge,
  type DeliveryKind,
  type DeliveryState,
  type DeliveryView as DeliveryViewName,
} from '../../core/vocabulary/deliveries.ts'
import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import type { BoundedCount } from './endpoint.ts'
import { failsWith, factIssue, ruleCode } from '../../schemas/broken-rule.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { timeInput } from '../../schemas/time-input.ts'
import { PageQuery } from './page.ts'
import type { Bytes, Route } from './route.ts'

const EVENT_ID =
  /^(?:evt_)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/** An event id as in an envelope, `evt_` and 32 hex characters. It is parsed to the UUID that is stored. */
const eventId = z
  .string()
  .regex(EVENT_ID, ruleCode('wrong_event_id'))
  .transform((text) => EVENT_ID.exec(text)!.slice(1).join('-').toLowerCase())

const FILTERS = {
  eventId: eventId.optional(),
  deliveryId: uuidInput.optional(),
  conversationId: z
    .string()
    .min(1)
    .max(LOG_LIMITS.conversationIdChars)
    .refine((text) => !text.includes('\0'), failsWith(fact('has_nul')))
    .optional(),
  contactId: uuidInput.optional(),
  runId: uuidInput.optional(),
  type: z.enum(EVENT_TYPES).optional(),
  state: z.enum(DELIVERY_STATES).optional(),
  kind: z.enum(DELIVERY_KINDS).optional(),
  /** HTTP status of the last attempt. */
  status: z.coerce.number().int().min(LOG_LIMITS.minStatus).max(LOG_LIMITS.maxStatus).optional(),
  /** HTTP status of the last attempt by its first digit: 5 is 500 to 599. */
  statusClass: z.coerce.number().int().min(1).max(5).optional(),
  /** The failure of the last attempt. */
  error: z.enum(ATTEMPT_ERRORS).optional(),
  /** A duration in milliseconds that the last attempt exceeded. */
  slowerThanMs: z.coerce.number().int().min(0).max(DELIVERY_LIMITS.answerMs).optional(),
  /**
   * The view. `failed`: the last attempt failed and the event is not delivered. `retrying`: another attempt is
   * pending. `gave_up`: no attempt is left. `slow`: the last attempt took longer than five seconds. A view has events
   * and resends, but no tests. A resent delivery stays in it, with `lastResend`.
   */
  view: z.enum(DELIVERY_VIEWS).optional(),
  /** Deliveries created at or after this time. */
  from: timeInput.optional(),
  /** Deliveries created before this time. */
  to: timeInput.optional(),
}

/** The cursor of the log: a delivery, or, for a list by event, a delivery of one event. */
const CURSOR = /^([0-9a-f-]{36})(?:\.([0-9a-f-]{36}))?$/
/** A position in the delivery log; `eventId` is null in the list of all deliveries. */
export type LogPosition = { eventId: string | null; deliveryId: string }

const cursor = z.string().transform((text, check): LogPosition => {
  const position = readPosition(text)
  if (position) return position
  check.addIssue(factIssue(fact('wrong_cursor')))
  return z.NEVER
})

function readPosition(text: string): LogPosition | null {
  let plain: string
  try {
    plain = atob(text)
  } catch {
    return null
  }
  const [, first, second] = CURSOR.exec(plain) ?? []
  const ids = [first, second].filter((id) => id !== undefined)
  if (ids.length === 0 || ids.some((id) => !uuidInput.safeParse(id).success)) return null
  return second === undefined
    ? { eventId: null, deliveryId: first! }
    : { eventId: first!, deliveryId: second }
}

/** Returns the cursor of a position in the delivery log. */
export function writePosition({ eventId: event, deliveryId }: LogPosition): string {
  return btoa(event === null ? deliveryId : `${event}.${deliveryId}`).replaceAll('=', '')
}

const SEARCH = {
  ...FILTERS,
  endpointId: uuidInput.optional(),
  /** The customer's number with its country code, or as in the country of the company's numbers. */
  phone: z.string().max(LOG_LIMITS.phoneChars).optional(),
}

/** A page of the delivery log. */
export const DeliveryQuery = z.object({
  ...SEARCH,
  limit: PageQuery.shape.limit,
  cursor: cursor.optional(),
})
export type DeliveryQuery = z.output<typeof DeliveryQuery>

/** The filters of the log, without the page. */
export const DeliverySearch = z.object(SEARCH)
export type DeliverySearch = z.output<typeof DeliverySearch>

/** The filter with the customer's ids in place of the phone, as queries need it. */
export type DeliveryFilter = Omit<DeliverySearch, 'phone'>

/** A query for the counts of the views, of one endpoint or of all, including deleted ones, over a period. */
export const ViewsQuery = z.object({
  endpointId: SEARCH.endpointId,
  from: SEARCH.from,
  to: SEARCH.to,
})
export type ViewsQuery = z.output<typeof ViewsQuery>

/** The number of deliveries in each view. */
export type DeliveryViewCounts = Record<DeliveryViewName, BoundedCount>

/** An export of the log. The format `ndjson` has a line of JSON for each delivery. */
export const ExportDeliveries = z.strictObject({
  ...SEARCH,
  format: z.enum(['csv', 'ndjson']).default('csv'),
})
export type ExportDeliveries = z.output<typeof ExportDeliveries>

export type DeliveryView = {
  id: string
  /** `evt_…`: the same on every retry and resend. */
  eventId: string
  type: string
  apiVersion: string
  kind: DeliveryKind
  endpoint: { id: string; name: string; isDeleted: boolean }
  state: DeliveryState
  /** The text of the delivery's badge. */
  badge: DeliveryBadge
  attempts: number
  /** HTTP status of the last attempt; null when no answer came. */
  lastStatus: number | null
  lastError: AttemptError | null
  /** Milliseconds that the last attempt took; null before the first. */
  lastMs: number | null
  /** The due time of the next attempt; null after the last one and while the delivery is held. */
  dueAt: string | null
  conversationId: string | null
  contactId: string | null
  /** The customer of the event with the current name; null for an event without a customer. */
  contact: { name: string | null; phone: string | null } | null
  runId: string | null
  /** The delivery that this one resends; null for no resend. */
  resendOf: string | null
  /** The newest resend of this delivery; null without any. */
  lastResend: { id: string; state: DeliveryState } | null
  /** The job that resent or released it. */
  jobId: string | null
  createdAt: string
  endedAt: string | null
}

/**
 * A page of the log. If few of many deliveries match, a page may have fewer items than its limit, or none, and still a
 * `nextCursor`: everything down to `searchedTo` has been searched.
 */
export type DeliveryPage = {
  items: DeliveryView[]
  nextCursor: string | null
  searchedTo: string | null
}

/** Bytes of an untrusted sender, as text that is safe to show. A page must never insert it as HTML. */
export type ShownAnswer = {
  text: string
  bytes: number
  /** The answer was longer than the stored part. */
  isCut: boolean
  headers: { name: string; value: string }[]
  /** There were more headers than are stored. */
  areHeadersCut: boolean
}

export type AttemptView = {
  id: string
  number: number
  url: string
  startedAt: string
  /** Durations in ms. A phase is null if it was not reached, or was skipped on a reused connection. */
  durationMs: number
  dnsMs: number | null
  connectMs: number | null
  answerMs: number | null
  httpStatus: number | null
  /** The failure: `message` describes it, `hint` says what to do, `detail` has more facts. */
  error: {
    code: AttemptError
    message: LocalizedFact
    hint: LocalizedFact
    detail: LocalizedFact | null
  } | null
  remoteAddress: string | null
  answer: ShownAnswer | null
  /** The last four characters of each secret that signed. */
  signedWith: string[]
  /** The attempt ended after its lease. Another attempt had replaced it, so its outcome is ignored. */
  isLate: boolean
}

export type DeliveryDetail = DeliveryView & {
  /** The time at which the reported fact happened. */
  occurredAt: string
  /** The headers of the request, which are the same at each attempt. The signature is left out. */
  requestHeaders: { name: string; value: string }[]
  /** The reason for the state, and what can be done. */
  stateMessage: LocalizedFact
  /** The exact body of the request; null once it is no longer stored. */
  body: string | null
  /** The latest attempts, oldest first, up to a limit. */
  log: AttemptView[]
  /** The number of attempts before those of `log`. */
  earlierAttempts: number
  /** The resends of this delivery, newest first, up to a limit. */
  resends: { id: string; state: DeliveryState; createdAt: string }[]
  /** The delivery has more resends than `resends`. */
  hasMoreResends: boolean
  /** A command that posts the same body; the signature is left out, as it needs the secret. */
  curl: string | null
}

/** The event type of a test delivery. */
export const SendTest = z.strictObject({ type: z.enum(EVENT_TYPES).default('ping') })
export type SendTest = z.output<typeof SendTest>

/** A delivery that waits for its next attempt is not sent again. */
const VIEWS_OF_ENDED = DELIVERY_VIEWS.filter((view) => view !== 'retrying')
const ENDED_STATES = DELIVERY_STATES.filter((state) => state !== 'pending' && state !== 'held')

/** The filter of a resend job, as in the log. It matches only events, and no delivery that is still pending. */
export const JobFilter = z.strictObject({
  type: FILTERS.type,
  state: z.enum(ENDED_STATES).optional(),
  status: FILTERS.status,
  statusClass: FILTERS.statusClass,
  error: FILTERS.error,
  slowerThanMs: FILTERS.slowerThanMs,
  view: z.enum(VIEWS_OF_ENDED).optional(),
  conversationId: FILTERS.conversationId,
  contactId: FILTERS.contactId,
  runId: FILTERS.runId,
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
})
export type JobFilter = z.output<typeof JobFilter>

export interface DeliveryRoutes {
  '/companies/:companyId/deliveries': { get: Route<DeliveryPage, { query: typeof DeliveryQuery }> }
  '/companies/:companyId/deliveries/count': {
    get: Route<BoundedCount, { query: typeof DeliverySearch }>
  }
  '/companies/:companyId/deliveries/views': {
    get: Route<DeliveryViewCounts, { query: typeof ViewsQuery }>
  }
  '/companies/:companyId/delivery-exports': {
    post: Route<Bytes, { json: typeof ExportDeliveries }>
  }
  '/companies/:companyId/deliveries/:deliveryId': { get: Route<DeliveryDetail> }
  '/companies/:companyId/deliveries/:deliveryId/resend': { post: Route<DeliveryView> }
  '/companies/:companyId/endpoints/:endpointId/tests': {
    post: Route<DeliveryDetail, { json: typeof SendTest }>
  }
}
