/**
 * The shapes of an event's `data`, one for each kind of fact.
 * Fields are only ever added, so objects are loose; a field that can be empty is null, never left out.
 * Spec: Events › Payloads; Events › Conversation object; Events › Contact summary; Concepts › Identifiers.
 */
import { z } from 'zod'
import { DELIVERY_LIMITS } from '../core/limits/deliveries.ts'
import { CONVERSATION_ID_BYTES } from '../core/limits/messaging.ts'
import { APPOINTMENT_STATUSES } from '../core/vocabulary/appointments.ts'
import { CHANNEL_TYPES, MESSAGE_TYPES } from '../core/vocabulary/channels.ts'
import type { EventType } from '../core/vocabulary/events.ts'
import { END_REASONS, TRIGGER_KINDS } from '../core/vocabulary/flows.ts'
import { HANDOVER_REASONS } from '../core/vocabulary/inbox.ts'
import { LEAD_TEMPERATURES } from '../core/vocabulary/leads.ts'
import { UUID_PATTERN } from '../rules/text/uuid.ts'
import { LEAD_LIMITS } from '../core/limits/leads.ts'

/** Returns a schema of an extensible enum: any string passes, and the known values are documented. */
export function extensibleEnum(values: readonly string[]) {
  return z.string().meta({ 'x-extensible-enum': values })
}

/** A time as events have it: ISO 8601 in UTC. */
export const dateTime = z.iso.datetime()
/** An id in lower case. */
export const uuid = z
  .string()
  .regex(new RegExp(`^${UUID_PATTERN}$`))
  .meta({ format: 'uuid' })
const phone = z
  .string()
  .regex(/^\+[1-9][0-9]{1,14}$/)
  .meta({
    description: 'E.164. Null when the channel has no number or the number has no country code.',
  })

/** An opaque id of up to 1,500 bytes, which is stored as text and never parsed. */
const conversationId = z
  .string()
  .refine((id) => new TextEncoder().encode(id).length <= CONVERSATION_ID_BYTES)
  .meta({ description: `Opaque, up to ${CONVERSATION_ID_BYTES} bytes: store it as text.` })

/** Characters are code points, as JSON Schema counts them. */
const messageText = z
  .string()
  .refine((text) => [...text].length <= DELIVERY_LIMITS.messageTextChars)
  .meta({ maxLength: DELIVERY_LIMITS.messageTextChars })

export const ConversationSummary = z.looseObject({
  id: conversationId,
  channelId: uuid.nullable(),
  channelType: extensibleEnum(CHANNEL_TYPES).nullable(),
})
export type ConversationSummary = z.infer<typeof ConversationSummary>

export const ContactSummary = z.looseObject({
  id: uuid.nullable(),
  name: z.string().nullable(),
  phone: phone.nullable(),
  whatsAppId: z
    .string()
    .nullable()
    .meta({ description: 'The ID that the conversation is stored under. Not a phone number.' }),
})
export type ContactSummary = z.infer<typeof ContactSummary>

export const MessageReceivedData = z.looseObject({
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
  message: z.looseObject({
    id: z.string().regex(/^m_/).nullable(),
    text: messageText.nullable(),
    type: extensibleEnum(MESSAGE_TYPES),
    receivedAt: dateTime,
  }),
})
export type MessageReceivedData = z.infer<typeof MessageReceivedData>

/** A bulk close sends the conversation's id alone; all else is null. */
export const ConversationData = z.looseObject({
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
})

export const HandoverData = z.looseObject({
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
  reason: extensibleEnum(HANDOVER_REASONS),
  reasonText: z.string().nullable(),
})

export const AssignedData = z.looseObject({
  conversation: ConversationSummary,
  assignee: z
    .looseObject({
      id: z.string().nullable(),
      name: z.string().nullable(),
      email: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'Null when the conversation is unassigned.' }),
})

export const ContactData = z.looseObject({
  contact: z.looseObject({
    id: uuid,
    name: z.string().nullable(),
    phone: phone.nullable(),
    whatsAppId: z
      .string()
      .nullable()
      .meta({ description: 'A business-scoped or @lid ID; null when only a number is known.' }),
    email: z.string().nullable(),
    language: z.string().nullable(),
    tags: z.array(z.string().nullable()),
    fields: z.record(z.string(), z.string().nullable()),
    optedOut: z.boolean(),
  }),
})
export type ContactData = z.infer<typeof ContactData>

export const LeadQualifiedData = z.looseObject({
  lead: z.looseObject({
    id: z.string(),
    customerName: z.string().nullable(),
    status: z.literal('qualified'),
    temperature: z.enum(LEAD_TEMPERATURES).nullable(),
    score: z.int().min(0).max(LEAD_LIMITS.maxScore).nullable(),
    qualifiedAt: dateTime.nullable(),
  }),
  conversation: ConversationSummary.nullable(),
})

export const AppointmentData = z.looseObject({
  appointment: z.looseObject({
    id: z.string(),
    reference: z.string().nullable(),
    service: z.string().nullable(),
    startsAt: dateTime,
    endsAt: dateTime,
    status: z.enum(APPOINTMENT_STATUSES),
    customerName: z.string().nullable(),
    cancellationReason: z.string().nullable(),
  }),
  conversation: ConversationSummary.nullable(),
  contact: ContactSummary.extend({ whatsAppId: z.null() }).nullable(),
})

export const FlowRunData = z.looseObject({
  flow: z.looseObject({ id: uuid, name: z.string() }),
  run: z.looseObject({
    id: uuid,
    status: z.enum(['completed', 'failed']),
    endReason: extensibleEnum(END_REASONS).nullable(),
    triggerKind: extensibleEnum(TRIGGER_KINDS),
    startedAt: dateTime,
    endedAt: dateTime.nullable(),
    variables: z.record(z.string(), z.string().nullable()),
  }),
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
})

export const PingData = z.looseObject({ message: z.string() })

/** The schema of the `data` of each event type. Spec: Events › Types. */
export const EVENT_DATA = {
  'message.received': MessageReceivedData,
  'conversation.started': ConversationData,
  'conversation.handover': HandoverData,
  'conversation.assigned': AssignedData,
  'conversation.resolved': ConversationData,
  'contact.created': ContactData,
  'contact.updated': ContactData,
  'contact.opted_out': ContactData,
  'lead.qualified': LeadQualifiedData,
  'appointment.booked': AppointmentData,
  'appointment.cancelled': AppointmentData,
  'flow.completed': FlowRunData,
  'flow.failed': FlowRunData,
  ping: PingData,
} as const satisfies Record<EventType, z.ZodObject>

/** The `data` of each event type. */
export type EventDataByType = { [Type in EventType]: z.infer<(typeof EVENT_DATA)[Type]> }
