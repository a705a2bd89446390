import type { EventDataByType } from '../../contract/webhook-data.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import type { EventType } from '../../core/vocabulary/events.ts'

/**
 * Returns the `data` of a sample event for Send test: valid by its schema, in Arabic or English, and obviously a
 * sample. Its ids match no row, and its phone number is from the range reserved for fiction in North America.
 *
 * Spec: Deliveries › Tests and resends; Events › Payloads.
 */
export function sampleData<Type extends EventType>(type: Type, now: Date): EventDataByType[Type] {
  return SAMPLES[type](now)
}

const PHONE = '+12025550143'
const CONTACT_ID = sampleId(3)
const conversation = { id: 'sample_conversation', channelId: sampleId(2), channelType: 'whatsapp' }
const customer = {
  id: CONTACT_ID,
  name: 'سارة (مثال)',
  phone: PHONE,
  whatsAppId: PHONE.slice(1),
}

const SAMPLES: { [Type in EventType]: (now: Date) => EventDataByType[Type] } = {
  'message.received': (now) => ({
    conversation,
    contact: customer,
    message: {
      id: 'm_sample',
      text: 'مرحبا، متى يصل طلبي SAMPLE-1043؟',
      type: 'text',
      receivedAt: now.toISOString(),
    },
  }),
  'conversation.started': () => ({ conversation, contact: customer }),
  'conversation.handover': () => ({
    conversation,
    contact: customer,
    reason: 'customer_asked_for_person',
    reasonText: 'العميلة تطلب التحدث مع موظف بخصوص الطلب SAMPLE-1043',
  }),
  'conversation.assigned': () => ({
    conversation,
    assignee: { id: sampleId(4), name: 'Sample Agent', email: 'agent@example.com' },
  }),
  'conversation.resolved': () => ({ conversation, contact: customer }),
  'contact.created': () => sampleContact({ tags: ['webhook'], fields: {} }),
  'contact.updated': () => sampleContact({ email: 'sara@example.com' }),
  'contact.opted_out': () => sampleContact({ optedOut: true }),
  'lead.qualified': (now) => ({
    lead: {
      id: 'sample_lead',
      customerName: 'Sample Customer',
      status: 'qualified',
      temperature: 'hot',
      score: 85,
      qualifiedAt: now.toISOString(),
    },
    conversation,
  }),
  'appointment.booked': (now) => sampleAppointment(now, 'confirmed', null),
  'appointment.cancelled': (now) =>
    sampleAppointment(now, 'cancelled', 'Sample: the customer cannot come'),
  'flow.completed': (now) =>
    sampleRun(now, 'completed', 'completed', { order: 'SAMPLE-1043', answer: 'نعم، اليوم' }),
  'flow.failed': (now) =>
    sampleRun(now, 'failed', 'error', { order: 'SAMPLE-1043', answer: null, http_status: '503' }),
  ping: () => ({ message: 'Ping from Wasla. تجربة من وصلة.' }),
}

function sampleContact(
  changed: Partial<EventDataByType['contact.updated']['contact']>,
): EventDataByType['contact.updated'] {
  return {
    contact: {
      id: CONTACT_ID,
      name: customer.name,
      phone: PHONE,
      whatsAppId: null,
      email: null,
      language: 'ar',
      tags: ['webhook', 'vip'],
      fields: { city: 'الرياض', loyalty_number: null },
      optedOut: false,
      ...changed,
    },
  }
}

/** Returns an appointment of half an hour, two days ahead, on the hour. */
function sampleAppointment(
  now: Date,
  status: 'confirmed' | 'cancelled',
  cancellationReason: string | null,
): EventDataByType['appointment.booked'] {
  const startsAt = Math.floor((now.getTime() + 2 * DAY_MS) / HOUR_MS) * HOUR_MS
  return {
    appointment: {
      id: 'sample_appointment',
      reference: 'SAMPLE-77',
      service: 'Sample consultation',
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(startsAt + 30 * MINUTE_MS).toISOString(),
      status,
      customerName: 'Sample Customer',
      cancellationReason,
    },
    conversation,
    contact: { ...customer, whatsAppId: null },
  }
}

function sampleRun(
  now: Date,
  status: 'completed' | 'failed',
  endReason: string,
  variables: Record<string, string | null>,
): EventDataByType['flow.completed'] {
  return {
    flow: { id: sampleId(5), name: 'Order is ready (sample)' },
    run: {
      id: sampleId(6),
      status,
      endReason,
      triggerKind: 'webhook',
      startedAt: new Date(now.getTime() - 10 * MINUTE_MS).toISOString(),
      endedAt: now.toISOString(),
      variables,
    },
    conversation,
    contact: customer,
  }
}

/** Returns a UUID that no generator makes. */
function sampleId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}
