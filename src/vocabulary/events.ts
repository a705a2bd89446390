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

/** The shape versions of an event's `data`, oldest first. Spec: Versioning › OpenAPI. */
export const API_VERSIONS = ['2026-10'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]
export const CURRENT_API_VERSION: ApiVersion = '2026-10'
