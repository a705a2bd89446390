/** Extensible. Spec: Events › Types. */
export const EVENT_TYPES = [
  'message.received',
  'conversation.started',
  'conversation.handover',
  'conversation.assigned',
  'conversation.resolved',
  'contact.created',
  'contact.updated',
  'contact.opted_out',
  'lead.qualified',
  'appointment.booked',
  'appointment.cancelled',
  'flow.completed',
  'flow.failed',
  'ping',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/**
 * The event types that something causes: an endpoint subscribes to these alone. A type joins them in the
 * change that brings its cause; `ping` is only ever a test.
 */
export const SUBSCRIBABLE_EVENT_TYPES = [
  'message.received',
  'conversation.started',
  'conversation.handover',
  'conversation.assigned',
  'conversation.resolved',
  'contact.created',
  'contact.updated',
  'contact.opted_out',
  'lead.qualified',
  'appointment.booked',
  'appointment.cancelled',
  'flow.completed',
  'flow.failed',
] as const satisfies EventType[]
export type SubscribableEventType = (typeof SUBSCRIBABLE_EVENT_TYPES)[number]

/** The shape versions of an event's `data`, oldest first. Spec: Versioning › OpenAPI. */
export const API_VERSIONS = ['2026-10'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]
export const CURRENT_API_VERSION: ApiVersion = '2026-10'
