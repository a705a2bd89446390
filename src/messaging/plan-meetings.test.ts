import { beforeEach, describe, expect, test } from 'vitest'
import { createIds } from '../ids.ts'
import { planMeetings, type Customer, type Known } from './plan-meetings.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
let last = 0
const ids = createIds({ now: () => now }, (bytes) => {
  bytes.fill(++last)
})
beforeEach(() => {
  last = 0
})

const NOBODY: Known = {
  contactId: null,
  mergedFrom: null,
  contactName: null,
  contactLanguage: null,
  isOptedOut: false,
  rememberedOptOutAt: null,
  knownKinds: [],
  conversationId: null,
  filedUnder: null,
}

/** A message of one customer, who is known by an id of the provider's. */
function message(told: Partial<Customer['told']> = {}, change: Partial<Customer> = {}): Customer {
  return {
    company: { id: 'shop', name: 'Shop' },
    channel: { id: 'w1', type: 'whatsapp' },
    aliases: [{ kind: 'business_scoped', value: 'SA.1' }],
    told: {
      name: null,
      phone: null,
      whatsappId: null,
      language: null,
      tag: null,
      source: 'message',
      ...told,
    },
    learns: true,
    announces: 'not_announced',
    at: now,
    ...change,
  }
}

const TOLD = { name: 'Sara', phone: '+966501234567', whatsappId: 'SA.1', language: 'ar' }

describe('A contact who is new in the batch', () => {
  test('is written and told of with what the later messages tell', () => {
    const plan = planMeetings({ ids, now })
    const first = plan.meet(message(), NOBODY)
    const second = plan.meet(message(TOLD), NOBODY)
    expect(second).toMatchObject({ contactId: first.contactId, name: 'Sara', language: 'ar' })
    expect(plan.writes.learnt).toEqual([])
    expect(plan.writes.contacts).toEqual([
      {
        id: first.contactId,
        companyId: 'shop',
        ...TOLD,
        email: null,
        rawPhone: null,
        tag: null,
        source: 'message',
        optedOutAt: null,
      },
    ])
    expect(plan.created).toEqual([
      {
        type: 'contact.created',
        company: { id: 'shop', name: 'Shop' },
        occurredAt: now,
        contactId: first.contactId,
        data: {
          contact: {
            id: first.contactId,
            name: 'Sara',
            phone: '+966501234567',
            whatsAppId: 'SA.1',
            email: null,
            language: 'ar',
            tags: [],
            fields: {},
            optedOut: false,
          },
        },
      },
    ])
  })

  test('is told of by the same name when the conversation begins', () => {
    const plan = planMeetings({ ids, now })
    const { contactId, conversationId } = plan.meet(message(), NOBODY)
    plan.meet(message({ name: 'Sara' }), NOBODY)
    expect(plan.started).toEqual([
      expect.objectContaining({
        type: 'conversation.started',
        occurredAt: now,
        conversationId,
        contactId,
        data: {
          conversation: { id: conversationId, channelId: 'w1', channelType: 'whatsapp' },
          contact: { id: contactId, name: 'Sara', phone: null, whatsAppId: 'SA.1' },
        },
      }),
    ])
  })

  test('keeps the name that came first, and the tag', () => {
    const plan = planMeetings({ ids, now })
    plan.meet(message({ name: 'Sara', tag: 'webhook' }), NOBODY)
    plan.meet(message({ name: 'Somebody' }), NOBODY)
    expect(plan.writes.contacts).toMatchObject([{ name: 'Sara', tag: 'webhook' }])
    expect(plan.created).toMatchObject([{ data: { contact: { name: 'Sara', tags: ['webhook'] } } }])
  })

  test('learns nothing of who is not believed', () => {
    const plan = planMeetings({ ids, now })
    plan.meet(message(), NOBODY)
    plan.meet(message(TOLD, { learns: false }), NOBODY)
    expect(plan.writes).toMatchObject({ contacts: [{ name: null, phone: null }], learnt: [] })
  })
})

test('A contact who was known before learns by a change, once', () => {
  const known: Known = {
    ...NOBODY,
    contactId: 'contact',
    knownKinds: ['business_scoped'],
    conversationId: 'c_known',
    filedUnder: 'SA.1',
    announcedAt: now,
  }
  const plan = planMeetings({ ids, now })
  plan.meet(message({ name: 'Sara' }), known)
  plan.meet(message(TOLD), known)
  expect(plan.writes.learnt).toEqual([{ id: 'contact', ...TOLD }])
  expect(plan.writes.contacts).toEqual([])
  expect([plan.created, plan.started]).toEqual([[], []])
})

test('Of two who became one contact, each has the ids that come with theirs, and their own conversation', () => {
  const merged: Known = {
    ...NOBODY,
    contactId: 'contact',
    mergedFrom: 'was',
    knownKinds: ['number'],
    conversationId: 'c_was',
    filedUnder: '966501230001',
    announcedAt: now,
  }
  const own = { ...merged, mergedFrom: null, conversationId: null, filedUnder: null }
  const number = { kind: 'number', value: '966501230001' } as const
  const id = { kind: 'business_scoped', value: 'SA.1' } as const
  const plan = planMeetings({ ids, now })
  plan.meet(message({}, { aliases: [number, id] }), merged)
  const byId = plan.meet(message({}, { aliases: [id] }), NOBODY)
  const other = plan.meet(message({}, { aliases: [{ ...number, value: '966501230002' }] }), own)
  expect(plan.writes.aliases).toMatchObject([{ value: 'SA.1', mergedFrom: 'was' }])
  expect(byId.conversationId).toBe('c_was')
  expect(plan.writes.conversations).toMatchObject([
    { id: other.conversationId, contactId: 'contact', mergedFrom: null },
  ])
})
