import { z } from 'zod'
import { DELIVERY_LIMITS, HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import type { AttemptError, EndpointState, OffReason } from '../../core/vocabulary/deliveries.ts'
import {
  API_VERSIONS,
  CURRENT_API_VERSION,
  EVENT_TYPES,
  type ApiVersion,
  type EventType,
} from '../../core/vocabulary/events.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

const name = formText(1, DELIVERY_LIMITS.nameChars)
/** A URL by the rules of `readEndpointUrl`; the module also resolves its host. */
const url = z.string()
const eventTypes = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .max(EVENT_TYPES.length)
  .transform((types) => EVENT_TYPES.filter((type) => types.includes(type)))
const apiVersion = z.enum(API_VERSIONS)

export const CreateEndpoint = z.strictObject({
  name,
  url,
  eventTypes,
  apiVersion: apiVersion.default(CURRENT_API_VERSION),
})
export type CreateEndpoint = z.output<typeof CreateEndpoint>

/** The fields to change. `updatedAt` guards against overwriting another member's change. */
export const EditEndpoint = z.strictObject({
  name: name.optional(),
  url: url.optional(),
  eventTypes: eventTypes.optional(),
  apiVersion: apiVersion.optional(),
  updatedAt: z.iso.datetime().optional(),
})
export type EditEndpoint = z.output<typeof EditEndpoint>

/** The range of the health graph in hours, of which the current one is the last. */
export const HealthQuery = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(HEALTH_GRAPH.maxHours)
    .default(HEALTH_GRAPH.hoursDefault),
})
export type HealthQuery = z.output<typeof HealthQuery>

export type EndpointSecretView = {
  lastFour: string
  /** The first 8 hex characters of its SHA-256, to compare with; null when it cannot be read. */
  fingerprint: string | null
  createdAt: string
  /** The value is null for the current secret, and the end of the overlap for the previous one. */
  signsUntil: string | null
}

/** A number that is counted up to its limit. */
export type BoundedCount = {
  count: number
  /** There are more. */
  isMore: boolean
}

/** The number of held deliveries, for one endpoint or for all. */
export type HeldCount = BoundedCount & {
  /** Number of counted deliveries with an attempt before the hold, so that the receiver may have them. */
  tried: number
}

export type EndpointView = {
  id: string
  name: string
  url: string
  eventTypes: EventType[]
  apiVersion: ApiVersion
  isOn: boolean
  /** The state of the badge. Tests do not affect it. */
  state: EndpointState
  /** The value is null while the endpoint is on. `message` says what to do. */
  off: { reason: OffReason; at: string; message: LocalizedFact } | null
  /** The secrets that sign now, the current one first. */
  secrets: EndpointSecretView[]
  failuresInRow: number
  failingSince: string | null
  /** The times count attempts of events and resends. */
  lastSuccessAt: string | null
  lastFailureAt: string | null
  createdAt: string
  updatedAt: string
}

/** The last 24 hours of an endpoint, the present one included; tests are left out. */
export type EndpointDay = {
  attempts: number
  failures: number
  /** Hours in which there were attempts, oldest first. */
  hours: { hour: string; attempts: number; failures: number }[]
}

/** An endpoint of the list, with the figures of its row. */
export type ListedEndpoint = EndpointView & { day: EndpointDay }

/** A new endpoint. Only this answer has the secret. */
export type NewEndpoint = { endpoint: EndpointView; secret: string }

export type SwitchedEndpoint = {
  endpoint: EndpointView
  /** Deliveries that wait until the merchant sends them. Switching the endpoint on sends nothing. */
  held: HeldCount
  message: LocalizedFact
}

export type EndpointHealthView = {
  failuresInRow: number
  failingSince: string | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
  /** Events and resends that wait for their first or their next attempt. */
  pending: BoundedCount
  held: HeldCount
  /** Hours in which there were attempts, oldest first; tests are left out. */
  hours: { hour: string; attempts: number; failures: number; averageMs: number }[]
  /** Sums of these hours, and of the same number of hours before. */
  now: AttemptSum
  before: AttemptSum
  /** The time at which the oldest pending delivery was created; null if none is pending. */
  oldestPendingAt: string | null
  /** Details from the newest deliveries of these hours. */
  sample: HealthSample
}

export type AttemptSum = { attempts: number; failures: number }

/**
 * Facts from the attempts of the newest deliveries created in these hours, without tests and stale attempts. `since`
 * says how far the sample reaches back if the endpoint has more deliveries than the limit.
 */
export type HealthSample = {
  /** Number of events and resends in the sample. */
  deliveries: number
  /** The value is false if older deliveries of these hours are not in the sample. */
  isAll: boolean
  /** The time at which the oldest delivery of the sample was created; null without deliveries. */
  since: string | null
  attempts: number
  /** Milliseconds of the attempts that were answered: half are faster; of twenty, one is slower. */
  p50Ms: number | null
  p95Ms: number | null
  /** Attempts by HTTP status, the most frequent first. The status is null if no answer came. */
  byStatus: { status: number | null; attempts: number }[]
  byType: { type: string; attempts: number; failures: number }[]
  /** Attempts by failure, the most frequent first. The log has filters for both fields. */
  causes: { error: AttemptError; status: number | null; attempts: number; message: LocalizedFact }[]
}

export interface EndpointRoutes {
  '/companies/:companyId/endpoints': {
    get: Route<Page<ListedEndpoint>, { query: typeof PageQuery }>
    post: Route<NewEndpoint, { json: typeof CreateEndpoint }>
  }
  '/companies/:companyId/endpoints/:endpointId': {
    get: Route<EndpointView>
    patch: Route<EndpointView, { json: typeof EditEndpoint }>
    delete: Route<null>
  }
  '/companies/:companyId/endpoints/:endpointId/switch-on': { post: Route<SwitchedEndpoint> }
  '/companies/:companyId/endpoints/:endpointId/switch-off': { post: Route<EndpointView> }
  '/companies/:companyId/endpoints/:endpointId/health': {
    get: Route<EndpointHealthView, { query: typeof HealthQuery }>
  }
  '/companies/:companyId/endpoints/:endpointId/secret/rotate': { post: Route<NewEndpoint> }
  '/companies/:companyId/endpoints/:endpointId/secret/retire-old': { post: Route<EndpointView> }
}
