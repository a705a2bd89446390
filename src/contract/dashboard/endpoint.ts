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
import type { LocalizedFact } from './told.ts'

const name = formText(1, DELIVERY_LIMITS.nameChars)
/** Its rules are those of `readEndpointUrl`: the room reads it, as it must also look its host up. */
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

/** Only what is named changes. With `updatedAt` as it was seen, nobody else's change is overwritten. */
export const EditEndpoint = z.strictObject({
  name: name.optional(),
  url: url.optional(),
  eventTypes: eventTypes.optional(),
  apiVersion: apiVersion.optional(),
  updatedAt: z.iso.datetime().optional(),
})
export type EditEndpoint = z.output<typeof EditEndpoint>

/** How many hours back, the present one included. */
export const HealthQuery = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(HEALTH_GRAPH.hoursMost)
    .default(HEALTH_GRAPH.hoursDefault),
})
export type HealthQuery = z.output<typeof HealthQuery>

export type EndpointSecretView = {
  lastFour: string
  /** The first 8 hex characters of its SHA-256, to compare with; null when it cannot be read. */
  fingerprint: string | null
  createdAt: string
  /** Null for the current one; the end of the overlap for the one before it. */
  signsUntil: string | null
}

/** A number that is not counted further than its limit. */
export type BoundedCount = {
  count: number
  /** There are more. */
  isMore: boolean
}

/** What is held for an endpoint, or for all of them. */
export type HeldCount = BoundedCount & {
  /** How many of those counted were tried before they were held: the receiver may have got them. */
  tried: number
}

export type EndpointView = {
  id: string
  name: string
  url: string
  eventTypes: EventType[]
  apiVersion: ApiVersion
  isOn: boolean
  /** What its badge says. Tests count for nothing in it. */
  state: EndpointState
  /** Null while it is on. `message` says what to do. */
  off: { reason: OffReason; at: string; message: LocalizedFact } | null
  /** Those that sign now, the current one first. */
  secrets: EndpointSecretView[]
  failuresInRow: number
  failingSince: string | null
  /** Of attempts of events and resends. */
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

/** One of the list, with what its row shows. */
export type ListedEndpoint = EndpointView & { day: EndpointDay }

/** The secret is shown when it is made, and never again. */
export type NewEndpoint = { endpoint: EndpointView; secret: string }

export type SwitchedEndpoint = {
  endpoint: EndpointView
  /** What waits for the merchant to send it: switching on sends nothing by itself. */
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
  /** Of those hours together, and of as many before them. */
  now: AttemptSum
  before: AttemptSum
  /** When the oldest of `pending` was made; null where none waits. */
  oldestPendingAt: string | null
  /** What the newest deliveries of those hours tell more closely. */
  sample: HealthSample
}

export type AttemptSum = { attempts: number; failures: number }

/**
 * LocalizedFact from the attempts of the newest deliveries made in those hours, tests and late attempts left out.
 * Of an endpoint with more of them than are looked at, `since` says how far back that is.
 */
export type HealthSample = {
  /** Events and resends among those that were looked at. */
  deliveries: number
  /** False: there are older ones in those hours that were not looked at. */
  isAll: boolean
  /** When the oldest of them was made; null where there is none. */
  since: string | null
  attempts: number
  /** Milliseconds of the attempts that were answered: half are faster; of twenty, one is slower. */
  p50Ms: number | null
  p95Ms: number | null
  /** Attempts by the status of the answer, the most frequent first; null: no answer came. */
  byStatus: { status: number | null; attempts: number }[]
  byType: { type: string; attempts: number; failures: number }[]
  /** Why attempts failed, the most frequent first; the log is filtered by the same two. */
  causes: { error: AttemptError; status: number | null; attempts: number; message: LocalizedFact }[]
}
