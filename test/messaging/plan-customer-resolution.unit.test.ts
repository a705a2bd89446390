import { beforeEach, describe, expect, test } from 'vitest'
import { createIds } from '../../src/core/ids.ts'
import { numberIdentifier, type Identifier } from '../../src/rules/identity/identifier.ts'
import {
  IdentityUnsettled,
  planCustomerResolution,
  type Customer,
  type Known,
} from '../../src/modules/messaging/plan-customer-resolution.ts'

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
  identityId: null,
  contactName: null,
  contactLanguage: null,
  isOptedOut: false,
  rememberedOptOutAt: null,
  knownKinds: [],
  unshownKinds: [],
  isSplit: false,
  formerSince: null,
  held: [],
  conversationId: null,
  filedUnder: null,
}

/** A contact who is known by a number, with a conversation. */
const KNOWN: Known = {
  ...NOBODY,
  contactId: 'contact',
  identityId: 'identity',
  knownKinds: ['number'],
  conversationId: 'c_known',
  filedUnder: '966501230001',
  announcedAt: now,
}

const NOTHING = { name: null, phone: null, whatsappId: null, language: null, tag: null }

function user(value: string): Identifier {
  return { kind: 'user', key: value, value, filedUnder: value }
}

/** A message of one customer, who is known by an id of the provider's. */
function message(
  told: Partial<Customer['reported']> = {},
  change: Partial<Customer> = {},
): Customer {
  return {
    company: { id: 'shop', name: 'Shop' },
    channel: { id: 'w1', type: 'whatsapp' },
    identifiers: [user('SA.1')],
    reported: { ...NOTHING, source: 'message', ...told },
    learns: true,
    announces: 'not_announced',
    at: now,
    ...change,
  }
}

const UNTOLD = { email: null, rawPhone: null, tag: null, source: 'message', optedOutAt: null }
const TOLD = { name: 'Sara', phone: '+966501234567', whatsappId: 'SA.1', language: 'ar' }

describe('A contact who is new in the batch', () => {
  test('is written, and shown in its event, with the details of the later messages', () => {
    const plan = planCustomerResolution({ ids, now })
    const first = plan.resolve(message(), NOBODY)
    const second = plan.resolve(message(TOLD), NOBODY)
    expect(second).toMatchObject({ contactId: first.contactId, name: 'Sara', language: 'ar' })
    expect(plan.writes.learnt).toEqual([])
    expect(plan.writes.contacts).toEqual([
      { id: first.contactId, companyId: 'shop', ...TOLD, ...UNTOLD },
    ])
    const { name, phone, whatsappId: whatsAppId, language } = TOLD
    const contact = { id: first.contactId, name, phone, whatsAppId, language }
    expect(plan.created).toEqual([
      {
        type: 'contact.created',
        company: { id: 'shop', name: 'Shop' },
        occurredAt: now,
        contactId: first.contactId,
        data: { contact: { ...contact, email: null, tags: [], fields: {}, optedOut: false } },
      },
    ])
  })

  test('has the same name in the event of the conversation', () => {
    const plan = planCustomerResolution({ ids, now })
    const { contactId, conversationId } = plan.resolve(message(), NOBODY)
    plan.resolve(message({ name: 'Sara' }), NOBODY)
    const conversation = { id: conversationId, channelId: 'w1', channelType: 'whatsapp' }
    const contact = { id: contactId, name: 'Sara', phone: null, whatsAppId: 'SA.1' }
    const data = { conversation, contact }
    const about = { conversationId, contactId, occurredAt: now }
    expect(plan.started).toMatchObject([{ type: 'conversation.started', ...about, data }])
  })

  test('keeps the first name, and the tag', () => {
    const plan = planCustomerResolution({ ids, now })
    plan.resolve(message({ name: 'Sara', tag: 'webhook' }), NOBODY)
    plan.resolve(message({ name: 'Somebody' }), NOBODY)
    expect(plan.writes.contacts).toMatchObject([{ name: 'Sara', tag: 'webhook' }])
    expect(plan.created).toMatchObject([{ data: { contact: { name: 'Sara', tags: ['webhook'] } } }])
  })

  test('learns nothing from a source that is not trusted', () => {
    const plan = planCustomerResolution({ ids, now })
    plan.resolve(message(), NOBODY)
    plan.resolve(message(TOLD, { learns: false }), NOBODY)
    expect(plan.writes).toMatchObject({ contacts: [{ name: null, phone: null }], learnt: [] })
  })
})

test('A contact who was known before learns by a change, once', () => {
  const known: Known = { ...KNOWN, knownKinds: ['user'], filedUnder: 'SA.1' }
  const plan = planCustomerResolution({ ids, now })
  plan.resolve(message({ name: 'Sara' }), known)
  plan.resolve(message(TOLD), known)
  expect(plan.writes.learnt).toEqual([{ id: 'contact', ...TOLD }])
  expect(plan.writes.contacts).toEqual([])
  expect([plan.created, plan.started]).toEqual([[], []])
})

test('Each identity of one contact has the ids that come with its own, and its own conversation', () => {
  const merged: Known = { ...KNOWN, identityId: 'was', conversationId: 'c_was' }
  const own = { ...merged, identityId: 'own', conversationId: null, filedUnder: null }
  const [number, id] = [numberIdentifier('966501230001'), user('SA.1')]
  const plan = planCustomerResolution({ ids, now })
  plan.resolve(message({}, { identifiers: [number, id] }), merged)
  const byId = plan.resolve(message({}, { identifiers: [id] }), NOBODY)
  const other = plan.resolve(message({}, { identifiers: [numberIdentifier('966501230002')] }), own)
  expect(plan.writes.identifiers).toMatchObject([{ value: 'SA.1', identityId: 'was' }])
  expect(byId.conversationId).toBe('c_was')
  expect(plan.writes.conversations).toMatchObject([
    { id: other.conversationId, contactId: 'contact', identityId: 'own' },
  ])
})

describe('Identifiers that a provider shows are settled before the customer is resolved', () => {
  const [number, id] = [numberIdentifier('966501230001'), user('SA.2')]
  const both = (change: Partial<Customer> = {}) =>
    message({}, { identifiers: [number, id], scope: 'account', ...change })

  test.each<[string, Partial<Known>]>([
    ['its ids are of two identities', { isSplit: true, knownKinds: ['number', 'user'] }],
    ['it comes with another id than the number had', { held: ['number ', 'user account'] }],
    ['it would be one of very many ids of them', { held: Array(50).fill('lid ') }],
    ['the number is not theirs any more', { formerSince: new Date(now.getTime() - 1) }],
  ])('where %s', (_, more) => {
    const plan = planCustomerResolution({ ids, now })
    expect(() => plan.resolve(both(), { ...KNOWN, ...more })).toThrow(IdentityUnsettled)
    expect(Object.values(plan.writes).flat()).toEqual([])
  })

  test('where another message of the batch has shown another id of it', () => {
    const plan = planCustomerResolution({ ids, now })
    plan.resolve(both(), NOBODY)
    const other = both({ identifiers: [number, user('SA.3')] })
    expect(() => plan.resolve(other, NOBODY)).toThrow(IdentityUnsettled)
  })

  test('except when an id is of another account of the business, or nothing is new', () => {
    const plan = planCustomerResolution({ ids, now })
    plan.resolve(both(), { ...KNOWN, held: ['number ', 'user other'] })
    plan.resolve(both(), { ...KNOWN, knownKinds: ['number', 'user'] })
    const late = both({ at: new Date(now.getTime() - 10) })
    plan.resolve(late, { ...KNOWN, knownKinds: ['number', 'user'], formerSince: now })
    expect(plan.writes.contacts).toEqual([])
  })

  test('except from a source that a person wrote', () => {
    const plan = planCustomerResolution({ ids, now })
    const hook = both()
    plan.resolve(
      { ...hook, reported: { ...hook.reported, source: 'hook' } },
      { ...KNOWN, isSplit: true },
    )
    expect(plan.writes.contacts).toEqual([])
  })
})
