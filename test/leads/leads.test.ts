/** Leads as members change them, and the events that follow. Leads; States › Lead. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { EventDataByType } from '../../src/contract/webhook-data.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { LeadRequest } from '../../src/modules/leads/plan-requests.ts'
import { requestLeads } from '../../src/modules/leads/request-leads.ts'
import { LEAD_LIMITS } from '../../src/core/limits/leads.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { makeVisitor } from '../support/records/moved-conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn, auditOf } from '../support/dashboard.ts'
import { inboxOf } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

let contact: ContactView
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
const sara = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
const at = `/companies/${shop.companyId}`
beforeEach(async () => {
  world.clock.advance(MINUTE_MS)
  contact = await meet('Huda')
})

const meet = async (name: string) => {
  const input = { name, phone: newPhone() }
  return (await sara.ask<ContactView>('POST', `${at}/contacts`, input)).body
}
const make = (input: object, by = sara) => by.ask<LeadView>('POST', `${at}/leads`, input)
const made = async (input: object = { contactId: contact.id }) => (await make(input)).body
const act = (lead: LeadView, what: string, json?: object, by = sara) =>
  by.ask<LeadView>('POST', `${at}/leads/${lead.id}/${what}`, json)
const edit = (lead: LeadView, json: object) =>
  sara.ask<LeadView>('PATCH', `${at}/leads/${lead.id}`, json)
const show = (lead: LeadView) => sara.ask<LeadView>('GET', `${at}/leads/${lead.id}`)
const list = async (query: string) =>
  (await sara.ask<Page<LeadView>>('GET', `${at}/leads?${query}`)).body
/** Requests leads as flows do, by default for the contact. */
const request = (...asked: Partial<LeadRequest>[]) => {
  const { db, ids } = world.service.context
  const company = { id: shop.companyId, name: 'Shop' }
  const of = { company, contactId: contact.id, conversationId: null } as const
  const requests = asked.map((one) => ({ ...of, source: 'flow' as const, qualify: false, ...one }))
  return transaction(db, (tx) => requestLeads(tx, { ids, now: world.clock.now() }, requests))
}
const raised = (contactId = contact.id) => eventTypesOf(world, { contactId }, 'lead.')
/** Returns the events about a lead that the endpoint received. */
const eventsOfLead = async (lead: LeadView) => {
  await whatsApp.settle()
  return shop.events('lead.qualified').filter(({ data }) => {
    const { id } = (data as EventDataByType['lead.qualified']).lead
    return id === lead.id
  })
}

describe('A lead', () => {
  test('is created for a contact by a member with the given values, and raises no event', async () => {
    const values = { temperature: 'hot', score: 80, summary: ' Two sofas ', ownerId: sara.personId }
    const answer = await make({ contactId: contact.id, ...values })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({
      id: expect.any(String),
      status: 'open',
      contact: { id: contact.id, name: 'Huda', phone: contact.phone },
      customerName: 'Huda',
      conversationId: null,
      temperature: 'hot',
      score: 80,
      summary: 'Two sofas',
      source: 'member',
      owner: { id: sara.personId, name: 'The agent' },
      qualifiedAt: null,
      closedAt: null,
      lostHow: null,
      lostReason: null,
      createdAt: world.clock.now().toISOString(),
      updatedAt: world.clock.now().toISOString(),
    })
    expect((await show(answer.body)).body).toEqual(answer.body)
    expect(await raised()).toEqual([])
  })

  test('exists once for each customer: a second request gives it the new values', async () => {
    const lead = await made({ contactId: contact.id, score: 10, summary: 'A sofa' })
    const again = await make({ contactId: contact.id, score: 20 })
    expect([again.status, again.body]).toMatchObject([
      200,
      { id: lead.id, score: 20, summary: 'A sofa', source: 'member' },
    ])
    await act(lead, 'win')
    const next = await make({ contactId: contact.id })
    expect([next.status, next.body.id === lead.id]).toEqual([201, false])
  })

  systemTest('for a conversation belongs to its contact', async () => {
    const talk = await inbox.talk(newPhone())
    const { body } = await make({ conversationId: talk.id })
    expect(body).toMatchObject({ conversationId: talk.id, contact: { phone: talk.phone } })
    const again = await make({ contactId: body.contact!.id })
    expect([again.status, again.body.conversationId]).toEqual([200, talk.id])
  })

  systemTest('for a widget visitor has no contact, but a name and the conversation', async () => {
    const talk = await inbox.talk(newPhone())
    await makeVisitor(world, talk.id, { visitorName: 'Visitor' })
    const lead = await made({ conversationId: talk.id })
    expect(lead).toMatchObject({
      contact: null,
      customerName: 'Visitor',
      conversationId: talk.id,
    })
    expect((await make({ conversationId: talk.id })).status).toBe(200)
    await act(lead, 'qualify')
    expect(await eventsOfLead(lead)).toMatchObject([
      { data: { lead: { customerName: 'Visitor' }, conversation: { id: talk.id } } },
    ])
    await act(lead, 'win')
    const next = await made({ conversationId: talk.id })
    expect(await act(lead, 'reopen')).toMatchObject({
      status: 409,
      body: { reason: 'customer_has_lead', params: { leadId: next.id } },
    })
    await act(next, 'win')
    await made()
    expect((await act(lead, 'reopen')).body.status).toBe('open')
  })

  test('takes scores from 0 to 100 or none, in whole numbers', async () => {
    const lead = await made()
    for (const score of [0, 100, null]) expect((await edit(lead, { score })).body.score).toBe(score)
    for (const score of [-1, 100.5, 101, '50']) {
      const refused = { status: 422, body: { errors: [{ field: 'score' }] } }
      expect(await make({ contactId: contact.id, score })).toMatchObject(refused)
    }
  })

  test('is refused without a customer, with two, with another company’s, and with a non-member as owner', async () => {
    const stranger = await whatsApp.openShop()
    const outsider = await signedIn(world, { accountId: stranger.accountId })
    const none = world.service.context.ids.uuid()
    const one = { code: 'contact_or_conversation' }
    const other = { ownerId: outsider.personId }
    for (const [input, error] of [
      [{}, one],
      [{ contactId: none, conversationId: 'c_1' }, one],
      [{ contactId: none }, { field: 'contactId', code: 'no_such_contact' }],
      [{ conversationId: 'c_none' }, { field: 'conversationId', code: 'no_such_conversation' }],
      [
        { contactId: contact.id, ...other },
        { field: 'ownerId', code: 'not_a_member' },
      ],
    ] as const) {
      expect(await make(input)).toMatchObject({ status: 422, body: { errors: [error] } })
    }
    const its = `/companies/${stranger.companyId}/leads`
    expect((await outsider.ask('POST', its, { contactId: contact.id })).status).toBe(422)
    expect((await outsider.ask('GET', `${its}/${(await made()).id}`)).status).toBe(404)
  })

  test('changes only the given fields, and records nothing if unchanged', async () => {
    const lead = await made({ contactId: contact.id, temperature: 'cold', summary: 'A sofa' })
    world.clock.advance(MINUTE_MS)
    expect((await edit(lead, { temperature: 'cold' })).body).toEqual(lead)
    const edited = await edit(lead, { temperature: 'warm', summary: null })
    expect(edited.body).toEqual({
      ...lead,
      temperature: 'warm',
      summary: null,
      updatedAt: world.clock.now().toISOString(),
    })
    const tooLong = 'س'.repeat(LEAD_LIMITS.summaryChars + 1)
    expect((await edit(lead, { summary: tooLong })).status).toBe(422)
    const owner = await signedIn(world, { accountId: shop.accountId })
    const audit = await auditOf(owner, shop)
    expect(audit.slice(0, 2)).toMatchObject([
      { action: 'lead.edited', subjectId: lead.id, detail: { fields: ['temperature', 'summary'] } },
      { action: 'lead.created', subjectId: lead.id },
    ])
  })
})

describe('Qualifying', () => {
  systemTest('raises lead.qualified once, with the lead at that time', async () => {
    const lead = await made({ contactId: contact.id, temperature: 'hot', score: 85 })
    const qualified = await act(lead, 'qualify')
    const qualifiedAt = world.clock.now().toISOString()
    expect(qualified.body).toMatchObject({ status: 'qualified', qualifiedAt })
    world.clock.advance(MINUTE_MS)
    expect((await act(lead, 'qualify')).body).toEqual(qualified.body)
    await edit(lead, { score: 90 })
    const [event, ...more] = await eventsOfLead(lead)
    expect([event, more]).toMatchObject([{ type: 'lead.qualified', createdAt: qualifiedAt }, []])
    expect(event!.data).toEqual({
      lead: {
        id: lead.id,
        customerName: 'Huda',
        status: 'qualified',
        temperature: 'hot',
        score: 85,
        qualifiedAt,
      },
      conversation: null,
    })
  })

  systemTest('again after it was reopened raises a second event, with its own time', async () => {
    const lead = await made()
    await act(lead, 'qualify')
    expect((await act(lead, 'win')).body).toMatchObject({
      status: 'won',
      qualifiedAt: expect.any(String),
    })
    expect((await act(lead, 'reopen')).body).toMatchObject({
      status: 'open',
      qualifiedAt: null,
      closedAt: null,
    })
    world.clock.advance(MINUTE_MS)
    await act(lead, 'qualify')
    const times = (await eventsOfLead(lead)).map(({ createdAt }) => Date.parse(createdAt))
    expect([times.length, times[1]! - times[0]!]).toEqual([2, MINUTE_MS])
  })

  test('by two members concurrently raises one event', async () => {
    const lead = await made()
    const answers = await Promise.all([1, 2, 3, 4].map(() => act(lead, 'qualify')))
    expect(answers.map(({ body }) => body.status)).toEqual(Array(4).fill('qualified'))
    expect(await raised()).toEqual(['lead.qualified'])
  })

  systemTest(
    'by a flow keeps its conversation, and leaves the values that it does not name',
    async () => {
      const talk = await inbox.talk(newPhone())
      const lead = await made({ conversationId: talk.id, score: 40, temperature: 'cold' })
      await request({
        contactId: lead.contact!.id,
        conversationId: talk.id,
        temperature: 'warm',
        qualify: true,
      })
      expect(await eventsOfLead(lead)).toMatchObject([
        {
          data: {
            lead: { id: lead.id, temperature: 'warm', score: 40 },
            conversation: { id: talk.id, channelId: shop.channelId, channelType: 'whatsapp' },
          },
        },
      ])
    },
  )
})

describe('The end of a lead', () => {
  test('is won or lost, with a reason; then it can only be reopened', async () => {
    const lead = await made()
    const lost = await act(lead, 'lose', { reason: 'Too dear' })
    expect(lost.body).toMatchObject({
      status: 'lost',
      lostHow: 'member',
      lostReason: 'Too dear',
      closedAt: world.clock.now().toISOString(),
    })
    expect((await act(lead, 'lose', { reason: 'Another' })).body).toEqual(lost.body)
    for (const what of ['win', 'qualify']) {
      expect(await act(lead, what)).toMatchObject({
        status: 409,
        body: { code: 'conflict', reason: 'lead_is_closed', params: { status: 'lost' } },
      })
    }
    expect((await act(lead, 'reopen')).body).toMatchObject({ status: 'open', lostReason: null })
    expect((await act(lead, 'win')).body.status).toBe('won')
    expect(await raised()).toEqual([])
  })

  test('is final when the customer has another open lead by then', async () => {
    const lead = await made()
    await act(lead, 'lose', {})
    const next = await made()
    expect(await act(lead, 'reopen')).toMatchObject({
      status: 409,
      body: { code: 'conflict', reason: 'customer_has_lead', params: { leadId: next.id } },
    })
    await act(next, 'win')
    expect((await act(lead, 'reopen')).body.status).toBe('open')
  })
})

describe('Concurrently', () => {
  test('flows and members who request one customer’s lead get one', async () => {
    const asked = await Promise.all([
      ...Array.from({ length: 4 }, () => make({ contactId: contact.id, score: 10 })),
      ...Array.from({ length: 4 }, () => request({ temperature: 'hot', qualify: true })),
    ])
    expect(asked).toHaveLength(8)
    const { items } = await list(`contactId=${contact.id}`)
    expect(items).toMatchObject([{ status: 'qualified', score: 10, temperature: 'hot' }])
    expect(await raised()).toEqual(['lead.qualified'])
  })

  systemTest('a reopening and a new request leave one open lead', async () => {
    const lead = await made()
    for (let round = 0; round < 5; round += 1) {
      for (const { id } of (await list(`contactId=${contact.id}&status=open`)).items) {
        await act({ ...lead, id }, 'lose', {})
      }
      await Promise.all([act(lead, 'reopen'), make({ contactId: contact.id })])
      expect((await list(`contactId=${contact.id}&status=open`)).items).toHaveLength(1)
    }
  })

  test('requests of many customers in one batch, and of one customer twice, count in their order', async () => {
    const other = await meet('Omar')
    const asked = await request(
      { score: 1, qualify: true },
      { contactId: other.id, score: 2 },
      { score: 3, temperature: 'warm' },
    )
    expect(asked.map(({ lead }) => [lead.contactId, lead.score])).toEqual([
      [contact.id, 3],
      [other.id, 2],
    ])
    expect(await list(`contactId=${contact.id}`)).toMatchObject({
      items: [{ status: 'qualified', score: 3, temperature: 'warm', source: 'flow' }],
    })
    expect([await raised(), await raised(other.id)]).toEqual([['lead.qualified'], []])
  })
})

test('A customer who is erased leaves leads without text', async () => {
  const open = await made({ contactId: contact.id, summary: 'A sofa' })
  await act(open, 'lose', { reason: 'Too dear' })
  const owner = await signedIn(world, { accountId: shop.accountId })
  await owner.ask('POST', `${at}/contacts/${contact.id}/erase`, { confirm: true })
  expect((await show(open)).body).toMatchObject({
    status: 'lost',
    summary: null,
    lostReason: null,
    customerName: null,
  })
})

systemTest('A member who leaves no longer owns open leads', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  const leaver = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const open = await made({ contactId: contact.id, ownerId: leaver.personId })
  const done = await made({ contactId: (await meet('Omar')).id, ownerId: leaver.personId })
  await act(done, 'win')
  expect((await owner.ask('DELETE', `/members/${leaver.memberId}`)).status).toBe(204)
  expect((await show(open)).body.owner).toBeNull()
  expect((await show(done)).body.owner).toMatchObject({ id: leaver.personId })
  // It is open again without an owner; a lead whose owner is still a member keeps it.
  expect((await act(done, 'reopen')).body.owner).toBeNull()
  await edit(done, { ownerId: sara.personId })
  await act(done, 'lose', {})
  expect((await act(done, 'reopen')).body.owner).toMatchObject({ id: sara.personId })
})
