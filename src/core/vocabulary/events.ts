/** The types of events with a summary of each. Extensible. Spec: Events › Types. */
export const EVENT_SUMMARIES = {
  'message.received': "A customer's message was saved to a conversation",
  'conversation.started': 'A conversation was created',
  'conversation.handover': 'A conversation was handed over to the team',
  'conversation.assigned': 'A conversation was assigned, reassigned or unassigned',
  'conversation.resolved': 'A conversation was resolved',
  'contact.created': 'A contact was created',
  'contact.updated': 'A contact was updated or opted back in',
  'contact.opted_out': 'A contact opted out',
  'lead.qualified': 'A lead was qualified',
  'appointment.booked': 'An appointment was booked',
  'appointment.cancelled': 'An appointment was cancelled',
  'flow.completed': 'A run ended',
  'flow.failed': 'A run ended with a failure',
  ping: 'A test event, sent from the dashboard',
} as const
export type EventType = keyof typeof EVENT_SUMMARIES
/** The types of events. */
export const EVENT_TYPES = Object.keys(EVENT_SUMMARIES) as [EventType, ...EventType[]]

/**
 * The types of events that hooks and messages raise most. They are in no index of the delivery log: a search for one of
 * them finds it among the newest deliveries. The condition of the index `event_type` repeats the list.
 */
export const FREQUENT_EVENT_TYPES = [
  'message.received',
  'conversation.started',
  'contact.created',
  'contact.updated',
  'flow.completed',
] as const satisfies readonly EventType[]

/** The shape versions of an event's `data`, oldest first. Spec: Versioning › OpenAPI. */
export const API_VERSIONS = ['2026-10'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]
/** The version of new endpoints. */
export const CURRENT_API_VERSION: ApiVersion = '2026-10'
