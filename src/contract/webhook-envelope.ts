/**
 * The envelope of every event, and which data each type carries.
 * Spec: Events › Envelope; Events › Types.
 */
import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../vocabulary/events.ts'
import {
  AppointmentData,
  AssignedData,
  ContactData,
  ConversationData,
  dateTime,
  extensible,
  FlowRunData,
  HandoverData,
  LeadQualifiedData,
  MessageReceivedData,
  PingData,
  uuid,
} from './webhook-data.ts'

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

export const WebhookEnvelope = z.looseObject({
  id: z
    .string()
    .regex(/^evt_[0-9a-f]{32}$/)
    .meta({
      description: 'The same on every retry and resend. Ignore events you have already received.',
    }),
  type: extensible(EVENT_TYPES),
  apiVersion: z.string().meta({ description: 'The version of the shape of `data`.' }),
  createdAt: dateTime.meta({ description: 'When it happened.' }),
  test: z.boolean().meta({ description: 'True for test events from Send test.' }),
  company: z.looseObject({ id: uuid, name: z.string().nullable() }),
  data: z.looseObject({}),
})
export type WebhookEnvelope = z.infer<typeof WebhookEnvelope>
