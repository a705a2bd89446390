/** The payload of each event type, field by field as in the specification's table. */
import { describe, expect, test } from 'vitest'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { EVENT_TYPES, type EventType } from '../../src/core/vocabulary/events.ts'
import { sampleData } from '../../src/modules/events/sample-events.ts'

const NOW = new Date('2026-11-21T09:00:00.000Z')

/** Spec: Events › Payloads. A question mark says that the field may be null. */
const object = (name: string, fields: string) => [
  name,
  ...fields.split(' ').map((field) => `${name.replace('?', '')}.${field}`),
]
const CONVERSATION = object('conversation', 'id channelId? channelType?')
const CONTACT_SUMMARY = object('contact?', 'id? name? phone? whatsAppId?')
const CONTACT = object(
  'contact',
  'id name? phone? whatsAppId? email? language? tags fields optedOut',
)
const APPOINTMENT = [
  ...object(
    'appointment',
    'id reference? service? startsAt endsAt status customerName? cancellationReason?',
  ),
  ...CONVERSATION.with(0, 'conversation?'),
  ...CONTACT_SUMMARY,
]
const RUN = [
  ...object('flow', 'id name'),
  ...object('run', 'id status endReason? triggerKind startedAt endedAt? variables'),
  ...CONVERSATION,
  ...CONTACT_SUMMARY,
]
const FIELDS: Record<EventType, string[]> = {
  'message.received': [
    ...CONVERSATION,
    ...CONTACT_SUMMARY,
    ...object('message', 'id? text? type receivedAt'),
  ],
  'conversation.started': [...CONVERSATION, ...CONTACT_SUMMARY],
  'conversation.handover': [...CONVERSATION, ...CONTACT_SUMMARY, 'reason', 'reasonText?'],
  'conversation.assigned': [...CONVERSATION, ...object('assignee?', 'id? name? email?')],
  'conversation.resolved': [...CONVERSATION, ...CONTACT_SUMMARY],
  'contact.created': CONTACT,
  'contact.updated': CONTACT,
  'contact.opted_out': CONTACT,
  'lead.qualified': [
    ...object('lead', 'id customerName? status temperature? score? qualifiedAt?'),
    ...CONVERSATION.with(0, 'conversation?'),
  ],
  'appointment.booked': APPOINTMENT,
  'appointment.cancelled': APPOINTMENT,
  'flow.completed': RUN,
  'flow.failed': RUN,
  ping: ['message'],
}

type Json = Record<string, unknown>

/** Returns the sample with one field replaced, or left out. */
function sampleWith(type: EventType, field: string, value?: unknown): Json {
  const data = structuredClone(sampleData(type, NOW)) as Json
  const names = field.split('.')
  let holder = data
  for (const name of names.slice(0, -1)) holder = holder[name] as Json
  const last = names.at(-1)!
  expect(holder).toHaveProperty([last])
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return data
}
const isValid = (type: EventType, data: unknown) => EVENT_DATA[type].safeParse(data).success
const accepts = (type: EventType, field: string, value: unknown) =>
  isValid(type, sampleWith(type, field, value))

/** Returns every field of an object and of the objects in it, except the names that a company chooses. */
function fieldsOf(data: Json, before = ''): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const field = `${before}${name}`
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const isOwn = ['run.variables', 'contact.fields'].includes(field)
    return [field, ...(isObject && !isOwn ? fieldsOf(value as Json, `${field}.`) : [])]
  })
}

describe.for(EVENT_TYPES)('%s', (type) => {
  test('its sample is valid, has exactly the fields of the table, and says that it is a sample', () => {
    const data = sampleData(type, NOW)
    expect(EVENT_DATA[type].parse(data)).toEqual(data)
    const told = FIELDS[type].map((field) => field.replace('?', ''))
    expect(fieldsOf(data).toSorted()).toEqual(told.toSorted())
    expect(JSON.stringify(data)).toMatch(/sample|مثال|تجربة/i)
    expect(JSON.stringify(data)).not.toMatch(/\+(?!12025550143)/)
  })

  test('every field is required, and null only where the table says so', () => {
    for (const field of FIELDS[type]) {
      const name = field.replace('?', '')
      expect([field, isValid(type, sampleWith(type, name))]).toEqual([field, false])
      const isNullable = field.endsWith('?') || name === 'contact.whatsAppId'
      expect([field, accepts(type, name, null)]).toEqual([field, isNullable])
    }
  })

  test('a field that is added later is ignored', () => {
    const data = { ...sampleData(type, NOW), added: { later: 1 } }
    expect(EVENT_DATA[type].parse(data)).toEqual(data)
  })

  test('UUIDs and times in UTC are refused in any other form', () => {
    for (const field of FIELDS[type].map((name) => name.replace('?', ''))) {
      if (/^(contact|flow|run)\.id$|channelId$/.test(field)) {
        expect([field, accepts(type, field, 'm_1')]).toEqual([field, false])
      }
      if (field.endsWith('At')) {
        for (const time of ['2026-11-21T12:00:00+03:00', '2026-11-21', '1790856000', 0]) {
          expect([field, accepts(type, field, time)]).toEqual([field, false])
        }
      }
    }
  })
})

describe('Payload shapes', () => {
  test('message.id starts with m_, text is cut at 4,096 characters, and an unknown type is valid', () => {
    expect(accepts('message.received', 'message.id', 'wamid.1')).toBe(false)
    expect(accepts('message.received', 'message.text', '😀'.repeat(4_096))).toBe(true)
    expect(accepts('message.received', 'message.text', 'a'.repeat(4_097))).toBe(false)
    expect(accepts('message.received', 'message.type', 'poll')).toBe(true)
  })

  test('phone is E.164 or null, never a number that lacks its country code or an id', () => {
    const types = EVENT_TYPES.filter((type) => FIELDS[type].includes('contact.phone?'))
    expect(types).toHaveLength(11)
    for (const type of types) {
      for (const phone of ['0501234567', '966501234567', '+0501234567', '+1 202', 'SA.1', '']) {
        expect([phone, accepts(type, 'contact.phone', phone)]).toEqual([phone, false])
      }
    }
  })

  test('conversation.id is an opaque text of up to 1,500 bytes', () => {
    expect(accepts('conversation.started', 'conversation.id', 'a_b.c+d=e@f')).toBe(true)
    expect(accepts('conversation.started', 'conversation.id', 'ب'.repeat(750))).toBe(true)
    expect(accepts('conversation.started', 'conversation.id', 'ب'.repeat(751))).toBe(false)
  })

  test('a bulk close sends only the id of the conversation, all else null', () => {
    const data = { conversation: { id: 'c', channelId: null, channelType: null }, contact: null }
    expect(isValid('conversation.resolved', data)).toBe(true)
  })

  test('unknown values of channelType, reason and endReason are valid, and those of closed lists are not', () => {
    expect(accepts('conversation.started', 'conversation.channelType', 'carrier_pigeon')).toBe(true)
    expect(accepts('conversation.handover', 'reason', 'a_new_reason')).toBe(true)
    expect(accepts('flow.completed', 'run.endReason', 'a_new_one')).toBe(true)
    expect(accepts('flow.completed', 'run.triggerKind', 'template_button')).toBe(true)
    expect(accepts('flow.completed', 'run.status', 'skipped')).toBe(false)
    expect(accepts('lead.qualified', 'lead.temperature', 'tepid')).toBe(false)
    expect(accepts('lead.qualified', 'lead.status', 'new')).toBe(false)
    expect(accepts('appointment.booked', 'appointment.status', 'moved')).toBe(false)
    for (const status of ['confirmed', 'cancelled', 'no_show', 'completed']) {
      expect(accepts('appointment.booked', 'appointment.status', status)).toBe(true)
    }
  })

  test('score is a whole number from 0 to 100', () => {
    for (const score of [0, 100]) expect(accepts('lead.qualified', 'lead.score', score)).toBe(true)
    for (const score of [-1, 101, 0.5, '85']) {
      expect(accepts('lead.qualified', 'lead.score', score)).toBe(false)
    }
  })

  test('for appointment events contact.whatsAppId is always null', () => {
    expect(accepts('appointment.booked', 'contact.whatsAppId', '12025550143')).toBe(false)
  })

  test('an appointment is confirmed when booked, cancelled with its reason when cancelled', () => {
    expect(sampleData('appointment.booked', NOW).appointment).toMatchObject({
      status: 'confirmed',
      cancellationReason: null,
      startsAt: '2026-11-23T09:00:00.000Z',
      endsAt: '2026-11-23T09:30:00.000Z',
    })
    expect(sampleData('appointment.cancelled', NOW).appointment.status).toBe('cancelled')
    expect(sampleData('appointment.cancelled', NOW).appointment.cancellationReason).toBeTruthy()
  })

  test('run.status matches the event type', () => {
    expect(sampleData('flow.completed', NOW).run.status).toBe('completed')
    expect(sampleData('flow.failed', NOW).run.status).toBe('failed')
  })

  test('tags are a list, and fields and variables are texts or null by name', () => {
    expect(accepts('contact.updated', 'contact.tags', [null, 'vip'])).toBe(true)
    expect(accepts('contact.updated', 'contact.tags', 'vip')).toBe(false)
    expect(accepts('contact.updated', 'contact.fields', { مدينة: 'الرياض', age: null })).toBe(true)
    expect(accepts('contact.updated', 'contact.fields', { age: 7 })).toBe(false)
    expect(accepts('flow.completed', 'run.variables', { http_status: 200 })).toBe(false)
  })
})

describe('Webhook envelope', () => {
  const envelope = {
    id: 'evt_0123456789abcdef0123456789abcdef',
    type: 'ping',
    apiVersion: '2026-10',
    createdAt: NOW.toISOString(),
    test: true,
    company: { id: '00000000-0000-4000-8000-000000000001', name: null },
    data: sampleData('ping', NOW),
  }
  const isEnvelope = (changed: object) =>
    WebhookEnvelope.safeParse({ ...envelope, ...changed }).success

  test('has id, type, apiVersion, createdAt, test, company and data, all required', () => {
    expect(isEnvelope({})).toBe(true)
    expect(isEnvelope({ added: 'later' })).toBe(true)
    for (const name of Object.keys(envelope)) {
      expect([name, isEnvelope({ [name]: undefined })]).toEqual([name, false])
      expect([name, isEnvelope({ [name]: null })]).toEqual([name, false])
    }
  })

  test('its id is evt_ and 32 hex characters, its company a UUID with a name or null', () => {
    for (const id of ['evt_1', envelope.id.toUpperCase(), `${envelope.id}0`]) {
      expect(isEnvelope({ id })).toBe(false)
    }
    expect(isEnvelope({ company: { id: 'x', name: null } })).toBe(false)
    expect(isEnvelope({ company: { ...envelope.company, name: 'متجر' } })).toBe(true)
    expect(isEnvelope({ company: { id: envelope.company.id } })).toBe(false)
    expect(isEnvelope({ type: 'a.new_type' })).toBe(true)
  })
})
