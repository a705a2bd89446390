import { beforeEach, describe, expect, test } from 'vitest'
import { createIds } from '../../src/core/ids.ts'
import type { AdmittedRequest } from '../../src/modules/hooks/check-request.ts'
import { planBatch } from '../../src/modules/hooks/plan-batch.ts'
import type { KnownRow } from '../../src/modules/hooks/load-existing.sql.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
let last = 0
const ids = createIds({ now: () => now }, (bytes) => {
  bytes.fill(++last)
})
beforeEach(() => {
  last = 0
})

function candidate(
  change: Partial<Omit<AdmittedRequest, 'hook'>> = {},
  { flow = 'f1', company = 'shop', channel = 'w1' } = {},
): AdmittedRequest {
  const hook = {
    plan: 'business',
    templatesPerDay: null,
    company: { id: company, name: company },
    flow: { id: flow, publishedVersionId: `${flow}-v1` },
    channel: { id: channel, type: 'whatsapp', isConnected: true, country: 'SA' },
  } as unknown as AdmittedRequest['hook']
  return {
    hook,
    idempotencyKey: null,
    refusal: null,
    phone: '+966501234567',
    name: 'Sara',
    language: null,
    variables: {},
    ...change,
  }
}

const NOBODY: KnownRow = {
  runOfKey: null,
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
  accountTemplates: 0,
  customerTemplates: 0,
}
const NOTHING = {
  contacts: [],
  identities: [],
  identifiers: [],
  conversations: [],
  learnt: [],
  shown: [],
  announced: [],
}
const KNOWN: KnownRow = {
  ...NOBODY,
  contactId: 'contact',
  identityId: 'identity',
  contactName: 'Sara A.',
  contactLanguage: 'ar',
  knownKinds: ['number'],
  conversationId: 'c_known',
  filedUnder: '966501234567',
}

const plan = (candidates: AdmittedRequest[], known: Partial<KnownRow>[] = []) =>
  planBatch(
    { ids, now },
    candidates,
    candidates.map((_, nth) => ({ ...NOBODY, ...known[nth] })),
  )
const statuses = (made: ReturnType<typeof plan>) => made.answers.map(({ status }) => status)

describe('In a batch of requests', () => {
  const key = { idempotencyKey: 'k' }

  test('two with one key for one flow are one run; for two flows, or without a key, they are two', () => {
    const made = plan([candidate(key), candidate(key)])
    expect(statuses(made)).toEqual(['accepted', 'duplicate'])
    expect(made.answers[1]!.id).toBe(made.answers[0]!.id)
    expect(made.writes.runs.map(({ id }) => id)).toEqual([made.answers[0]!.id])
    const ofTwo = plan([candidate(key), candidate(key, { flow: 'f2' })])
    expect(statuses(ofTwo)).toEqual(['accepted', 'accepted'])
    expect(ofTwo.writes.runs.map(({ flowId }) => flowId)).toEqual(['f1', 'f2'])
    expect(statuses(plan([candidate(), candidate()]))).toEqual(['accepted', 'accepted'])
  })

  test('no refused request uses up its key', () => {
    const refusal = { id: null, status: 'invalid_phone', detail: null } as const
    const made = plan([candidate({ ...key, refusal }), candidate(key)])
    expect(made.answers[0]).toBe(refusal)
    expect(statuses(made)).toEqual(['invalid_phone', 'accepted'])
    expect(made.writes.runs).toHaveLength(1)
  })

  test('those of one new customer make one contact, one identifier and one conversation, with one event each', () => {
    const made = plan([candidate(), candidate({ name: 'Another' }, { flow: 'f2' })])
    expect(made.writes.resolved.contacts).toMatchObject([
      { name: 'Sara', phone: '+966501234567', source: 'hook' },
    ])
    expect(made.writes.runs).toMatchObject([{ triggerKind: 'webhook' }, { triggerKind: 'webhook' }])
    const identifier = { companyId: 'shop', kind: 'number', value: '966501234567' }
    expect(made.writes.resolved.identifiers).toMatchObject([identifier])
    expect(made.writes.resolved.conversations).toMatchObject([{ filedUnder: '966501234567' }])
    expect(made.events.map(({ type }) => type)).toEqual(['contact.created', 'conversation.started'])
    const [one, two] = made.writes.runs
    expect([two!.contactId, two!.conversationId]).toEqual([one!.contactId, one!.conversationId])
  })

  test('those to two numbers of a company are one contact with a conversation on each', () => {
    const made = plan([candidate(), candidate({}, { channel: 'w2' })])
    expect(made.writes.resolved.contacts).toHaveLength(1)
    expect(made.writes.resolved.conversations.map(({ channelId }) => channelId)).toEqual([
      'w1',
      'w2',
    ])
  })

  test('those of one number in two companies are two contacts', () => {
    const made = plan([candidate(), candidate({}, { company: 'other', channel: 'w2' })])
    expect(made.writes.resolved.contacts.map(({ companyId }) => companyId)).toEqual([
      'shop',
      'other',
    ])
    expect(made.writes.resolved.identifiers.map(({ companyId }) => companyId)).toEqual([
      'shop',
      'other',
    ])
    const [one, two] = made.writes.runs
    expect(two!.contactId).not.toBe(one!.contactId)
  })

  test('those of two customers are two contacts', () => {
    const made = plan([candidate(), candidate({ phone: '+966507654321' })])
    const phones = made.writes.resolved.contacts.map(({ phone }) => phone)
    expect(phones).toEqual(['+966501234567', '+966507654321'])
    expect(made.writes.resolved.conversations).toHaveLength(2)
  })
})

describe('A known customer', () => {
  test('is changed in nothing: no contact, no identifier, no conversation, no event', () => {
    const made = plan([candidate({ name: 'New name', language: 'en' })], [KNOWN])
    expect(made.writes.resolved).toEqual(NOTHING)
    expect(made.events).toEqual([])
    const run = { contactId: 'contact', conversationId: 'c_known', language: 'en' }
    expect(made.writes.runs).toMatchObject([run])
    // The contact's language is used where the request names none.
    expect(plan([candidate()], [KNOWN]).writes.runs[0]!.language).toBe('ar')
  })

  test('without a conversation on the channel gets one, filed under the number', () => {
    const made = plan([candidate()], [{ ...KNOWN, conversationId: null, filedUnder: null }])
    expect(made.writes.resolved.conversations).toEqual([
      {
        id: expect.stringMatching(/^c_[0-9a-f]{32}$/),
        companyId: 'shop',
        channelId: 'w1',
        channelType: 'whatsapp',
        contactId: 'contact',
        identityId: 'identity',
        filedUnder: '966501234567',
        isAnnounced: true,
      },
    ])
    expect(made.events).toMatchObject([
      {
        type: 'conversation.started',
        company: { id: 'shop' },
        occurredAt: now,
        contactId: 'contact',
        conversationId: made.writes.resolved.conversations[0]!.id,
        data: {
          conversation: { channelId: 'w1', channelType: 'whatsapp' },
          contact: { id: 'contact', name: 'Sara A.', whatsAppId: '966501234567' },
        },
      },
    ])
  })
})

test('A new contact’s event shows it tagged `webhook`, opted in, and with the language that was read', () => {
  const made = plan([candidate({ language: 'en' })])
  expect(made.events[0]).toEqual({
    type: 'contact.created',
    company: { id: 'shop', name: 'shop' },
    occurredAt: now,
    contactId: made.writes.resolved.contacts[0]!.id,
    data: {
      contact: {
        id: made.writes.resolved.contacts[0]!.id,
        name: 'Sara',
        phone: '+966501234567',
        whatsAppId: null,
        email: null,
        language: 'en',
        tags: ['webhook'],
        fields: {},
        optedOut: false,
      },
    },
  })
})

test.each<[Partial<KnownRow>, string]>([
  [{ runOfKey: 'earlier' }, 'duplicate'],
  [{ accountTemplates: 1_000 }, 'template_limit_reached'],
  [{ accountTemplates: 999 }, 'accepted'],
  [{ customerTemplates: 3 }, 'customer_limit_reached'],
  [{ customerTemplates: 2 }, 'accepted'],
  [{ isOptedOut: true }, 'opted_out'],
  [{ runOfKey: 'earlier', isOptedOut: true, accountTemplates: 1_000 }, 'duplicate'],
  [{ accountTemplates: 1_000, customerTemplates: 3 }, 'template_limit_reached'],
  [{ customerTemplates: 3, isOptedOut: true }, 'customer_limit_reached'],
])('Known is %j: %s', (known, status) => {
  const made = plan([candidate()], [known])
  expect(statuses(made)).toEqual([status])
  expect(made.writes.runs).toHaveLength(status === 'accepted' ? 1 : 0)
})
