import { z } from 'zod'
import { DELIVERY_LIMITS, HEALTH_GRAPH } from '../../limits/deliveries.ts'
import type { OffReason } from '../../vocabulary/deliveries.ts'
import {
  API_VERSIONS,
  CURRENT_API_VERSION,
  EVENT_TYPES,
  type ApiVersion,
  type EventType,
} from '../../vocabulary/events.ts'
import { formText } from './text.ts'
import type { Told } from './told.ts'

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

export type EndpointView = {
  id: string
  name: string
  url: string
  eventTypes: EventType[]
  apiVersion: ApiVersion
  isOn: boolean
  /** Null while it is on. `message` says what to do. */
  off: { reason: OffReason; at: string; message: Told } | null
  /** Those that sign now, the current one first. */
  secrets: EndpointSecretView[]
  failuresInRow: number
  failingSince: string | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
  createdAt: string
  updatedAt: string
}

/** The secret is shown when it is made, and never again. */
export type NewEndpoint = { endpoint: EndpointView; secret: string }

export type SwitchedEndpoint = {
  endpoint: EndpointView
  /** What waits for the merchant to send it: switching on sends nothing by itself. */
  held: BoundedCount
  message: Told
}

export type EndpointHealthView = {
  failuresInRow: number
  failingSince: string | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
  pending: BoundedCount
  held: BoundedCount
  /** Hours in which there were attempts, oldest first; tests are left out. */
  hours: { hour: string; attempts: number; failures: number; averageMs: number }[]
}
