/**
 * The envelope of every event and the shapes of its `data`.
 * Fields are only ever added, so objects are loose; a field that can be empty is null, never left out.
 * Spec: Resources and their fields › Webhook envelope, Shared sub-objects, Payload shapes.
 */
import { z } from 'zod'
import {
  CHANNEL_TYPES,
  END_REASONS,
  EVENT_TYPES,
  MESSAGE_TYPES,
  TRIGGER_KINDS,
} from '../vocabulary.ts'

/** A list that may grow: any string passes, the known ones are documented. */
function extensible(values: readonly string[]) {
  return z.string().meta({ 'x-extensible-enum': values })
}

const dateTime = z.iso.datetime()
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

export const ConversationSummary = z.looseObject({
  id: z.string(),
  channelId: uuid.nullable(),
  channelType: extensible(CHANNEL_TYPES).nullable(),
})
export type ConversationSummary = z.infer<typeof ConversationSummary>

export const ContactSummary = z.looseObject({
  id: uuid.nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  whatsAppId: z.string().nullable(),
})
export type ContactSummary = z.infer<typeof ContactSummary>

export const MessageReceivedData = z.looseObject({
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
  message: z.looseObject({
    id: z.string().nullable(),
    text: z.string().nullable(),
    type: extensible(MESSAGE_TYPES),
    receivedAt: dateTime,
  }),
})
export type MessageReceivedData = z.infer<typeof MessageReceivedData>

export const ConversationData = z.looseObject({
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
})
export type ConversationData = z.infer<typeof ConversationData>

export const ContactData = z.looseObject({
  contact: z.looseObject({
    id: uuid,
    name: z.string().nullable(),
    phone: z.string().nullable(),
    whatsAppId: z.string().nullable(),
    email: z.string().nullable(),
    language: z.string().nullable(),
    tags: z.array(z.string().nullable()),
    fields: z.record(z.string(), z.string().nullable()),
    optedOut: z.boolean(),
  }),
})
export type ContactData = z.infer<typeof ContactData>

export const FlowRunData = z.looseObject({
  flow: z.looseObject({ id: uuid, name: z.string() }),
  run: z.looseObject({
    id: uuid,
    status: z.string(),
    endReason: extensible(END_REASONS).nullable(),
    triggerKind: extensible(TRIGGER_KINDS),
    startedAt: dateTime,
    endedAt: dateTime.nullable(),
    variables: z.record(z.string(), z.string().nullable()),
  }),
  conversation: ConversationSummary,
  contact: ContactSummary.nullable(),
})
export type FlowRunData = z.infer<typeof FlowRunData>

export const PingData = z.looseObject({ message: z.string() })
export type PingData = z.infer<typeof PingData>

/** The `data` of each event type that the house raises. */
export type EventDataByType = {
  'message.received': MessageReceivedData
  'conversation.started': ConversationData
  'conversation.resolved': ConversationData
  'contact.created': ContactData
  'contact.updated': ContactData
  'contact.opted_out': ContactData
  'flow.completed': FlowRunData
  'flow.failed': FlowRunData
  ping: PingData
}

export const EVENT_DATA = {
  'message.received': MessageReceivedData,
  'conversation.started': ConversationData,
  'conversation.resolved': ConversationData,
  'contact.created': ContactData,
  'contact.updated': ContactData,
  'contact.opted_out': ContactData,
  'flow.completed': FlowRunData,
  'flow.failed': FlowRunData,
  ping: PingData,
} as const

export const WebhookEnvelope = z.looseObject({
  id: z.string().regex(/^evt_[0-9a-f]{32}$/),
  type: extensible(EVENT_TYPES),
  apiVersion: z.string(),
  createdAt: dateTime,
  test: z.boolean(),
  company: z.looseObject({ id: uuid, name: z.string().nullable() }),
  data: z.looseObject({}),
})
export type WebhookEnvelope = z.infer<typeof WebhookEnvelope>
