/** Actions that are called without confirmation: the requests, the results for the assistant, and the limits. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import {
  addReplyTime,
  reserveActionCall,
} from '../../src/modules/connections/reserve-action-call.sql.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { ACTION_LIMITS } from '../../src/core/limits/calls.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { COULD_NOT_CHECK, NOTHING_FOUND } from '../../src/rules/calls/action-answer.ts'
import { setPlan } from '../support/records/accounts.ts'
import {
  actionsByDay,
  actionsOfReply,
  callsOf,
  deleteConnection,
  putActionsOfReply,
  putConnection,
  setActionsToday,
} from '../support/records/calls.ts'
import { contactWith, describeContact } from '../support/records/contacts.ts'
import { putConversation } from '../support/records/conversations.ts'
import { API_TOKEN, connectApi, json } from '../support/shop-api.ts'
import { visitorRequest, createWebsite } from '../support/visitors.ts'
import { openActionWorld, ORDER, type Talk } from './action-world.ts'

const w = await openActionWorld()
beforeEach(async () => {
  await w.clear()
  w.api.reply(json(200, { order: { status: 'shipped', phone: '+966501234567' } }))
})

const shown = [{ label: 'Status', path: 'order.status' }]
const called = (text: string) => expect.objectContaining({ kind: 'called', text })
/** Returns the identity that the API gets when an action is filled with it. */
async function toldOf(talk: Talk, identity: 'phone' | 'email' | 'contact_id' = 'phone') {
  const query = [{ name: 'who', value: '{{identity}}' }]
  const { name } = await w.make({ identity, request: { query } })
  expect((await talk.use(name, { order: '7' })).kind).toBe('called')
  return new URL(w.api.requests[0]!.url, w.api.baseUrl).searchParams.get('who')
}

describe('An action without confirmation', () => {
  test('is called when the customer asks, and returns the picked fields under their labels', async () => {
    const { id, name } = await w.make({ shown })
    const talk = await w.customer()
    expect(await talk.use(name, { order: 'A 7/1'.replace('/', '-') })).toEqual(
      called('Status: shipped'),
    )
    expect(w.api.requests).toMatchObject([
      {
        method: 'GET',
        url: '/api/orders/A%207-1',
        headers: { authorization: `Bearer ${API_TOKEN}`, 'user-agent': 'Service-Automations/1.0' },
      },
    ])
    expect(await callsOf(w.world, w.shop)).toMatchObject([
      { source: 'action', actionId: id, conversationId: talk.conversationId, status: 200 },
    ])
  })

  test.each([
    ['phone', '+966501234567'],
    ['email', 'sara@example.com'],
    ['contact_id', null],
  ] as const)('is filled with the customer’s %s from the conversation', async (identity, value) => {
    const talk = await w.customer('966501234567')
    const believed = { email: 'sara@example.com', emailFrom: 'member' }
    await describeContact(w.world, talk.contactId, believed)
    expect(await toldOf(talk, identity)).toBe(value ?? talk.contactId)
  })

  test('is filled with the number on whatsapp_qr too', async () => {
    const talk = await w.customer('966501234588')
    await putConversation(w.world, talk.conversationId, { channelType: 'whatsapp_qr' })
    expect(await toldOf(talk)).toBe('+966501234588')
  })

  test('uses the number that the provider confirms, not one that a member has typed', async () => {
    const talk = await w.customer('966501234577')
    const contact = `/companies/${w.shop.companyId}/contacts/${talk.contactId}`
    const edited = await (await w.member()).ask('PATCH', contact, { phone: '+966509999999' })
    expect(edited.status).toBe(200)
    expect(await toldOf(talk)).toBe('+966501234577')
  })

  test('uses no number that only an enquiry contained, even after a merge into that contact', async () => {
    const form = await createWebsite(w.world, 'website', w)
    const { status } = await visitorRequest(w.world.url, 'POST', `/website/v1/${form.key}/leads`, {
      json: { fields: { phone: '+966509999911', message: 'Is it there?' } },
    })
    expect(status).toBe(202)
    const told = await contactWith(w.world, w.shop, '+966509999911')
    const talk = await w.customer('966501234578')
    const into = `/companies/${w.shop.companyId}/contacts/${told.id}/merge`
    const merged = await (await w.member()).ask('POST', into, { fromId: talk.contactId })
    expect(merged.status).toBe(200)
    expect(await toldOf(talk)).toBe('+966501234578')
  })

  test('uses no number that the provider confirms for another customer', async () => {
    const theirs = await w.customer('966501234571')
    const talk = await w.customer('966501234572')
    await describeContact(w.world, theirs.contactId, { phone: '+966501234573' })
    await describeContact(w.world, talk.contactId, { phone: '+966501234571' })
    expect(await toldOf(talk)).toBe('+966501234572')
  })

  test('is not called with wrong values, and the assistant learns what to correct', async () => {
    const { name } = await w.make({
      parameters: [
        ORDER,
        { type: 'number', name: 'lines', description: 'How many', isRequired: true },
      ],
      request: { query: [{ name: 'lines', value: '{{args.lines}}' }] },
    })
    const talk = await w.customer()
    const replyId = 'a reply without a call'
    const told = await talk.use(name, { order: 'a/b', lines: 'five', phone: '1' }, replyId)
    expect(told.kind).toBe('refused')
    for (const word of ['"phone"', 'order must not hold /', 'lines must be a number']) {
      expect(told.text).toContain(word)
    }
    expect((await talk.use(name, { lines: 5 }, replyId)).text).toContain('ask the customer')
    expect(w.api.requests).toHaveLength(0)
    // A refused call counts towards no limit.
    expect(await actionsOfReply(w.world, replyId)).toBeUndefined()
  })

  test('fails if an optional parameter in the path is missing', async () => {
    const { name } = await w.make({ parameters: [{ ...ORDER, isRequired: false }] })
    const talk = await w.customer()
    expect((await talk.use(name, {})).text).toBe(COULD_NOT_CHECK)
    expect(w.api.requests).toHaveLength(0)
  })

  test('finds nothing if the answer is not about the customer', async () => {
    const { name } = await w.make({ shown, identity: 'phone', ownershipPath: 'order.phone' })
    const theirs = await w.customer('966501234567')
    const other = await w.customer('966501234568')
    expect(await theirs.use(name, { order: '7' })).toEqual(called('Status: shipped'))
    expect(await other.use(name, { order: '7' })).toEqual(called(NOTHING_FOUND))
    w.api.reply(json(200, { order: { status: 'shipped', phone: 966501234568 } }))
    expect(await other.use(name, { order: '7' })).toEqual(called('Status: shipped'))
  })

  test('without picked fields returns the shortened answer, the credential removed before', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const before = 'x'.repeat(ACTION_LIMITS.answerChars - API_TOKEN.length)
    for (const value of [API_TOKEN, Buffer.from(API_TOKEN).toString('base64'), `k=${API_TOKEN}`]) {
      w.api.reply(json(200, { [API_TOKEN]: 1, before, value, rest: 'y'.repeat(200_000) }))
      const { text } = await talk.use(name, { order: '7' })
      expect(text.length).toBeLessThan(ACTION_LIMITS.answerChars + 20)
      expect(text).toMatch(/cut short\)$/)
      expect(text).not.toContain(value.slice(0, 12))
      expect(text).not.toContain(API_TOKEN.slice(0, 12))
    }
    w.api.reply((_, response) => void response.end(`plain ${API_TOKEN} text`))
    expect((await talk.use(name, { order: '7' })).text).toMatch(/^plain \[.+\] text$/)
  })

  test.each<[string, ReturnType<typeof json>]>([
    ['404', json(404, { order: { phone: '+966501234567' } })],
    ['an oversized answer', (_, response) => void response.end('x'.repeat(262_145))],
  ])('returns that it could not check after %s', async (_, reply) => {
    const { name } = await w.make({ identity: 'phone', ownershipPath: 'order.phone' })
    const talk = await w.customer('966501234567')
    w.api.reply(reply)
    expect(await talk.use(name, { order: '7' })).toEqual(called(COULD_NOT_CHECK))
    expect(w.api.requests).toHaveLength(1)
  })

  test('returns that it could not check if its connection is off, deleted or not in the plan', async () => {
    const { companyId } = w.shop
    const connectionId = await connectApi(w.world, { companyId, baseUrl: w.api.baseUrl })
    const { name } = await w.make({ request: { connectionId } })
    const talk = await w.customer()
    const uses = async () => {
      expect(await talk.use(name, { order: '7' })).toEqual(called(COULD_NOT_CHECK))
    }
    await setPlan(w.world, w.shop, 'pro')
    await uses()
    await setPlan(w.world, w.shop, 'business')
    await putConnection(w.world, { connectionId }, { isOn: false })
    await uses()
    await putConnection(w.world, { connectionId }, { isOn: true })
    await deleteConnection(w.world, { connectionId })
    await uses()
    expect(w.api.requests).toHaveLength(0)
  })
})

describe('AI action calls', () => {
  test('are at most 3 in one reply, also from two nodes concurrently', async () => {
    const { name } = await w.make()
    const db = connectDatabase(w.world.database.connection)
    onTestFinished(() => db.close())
    const here = await w.customer('966501110001')
    const there = await w.customer('966501110001', { ...w.deps, db })
    const told = await Promise.all(
      [here, there, here, there, here, there].map((talk) =>
        talk.use(name, { order: '7' }, 'one reply of two nodes'),
      ),
    )
    expect(told.filter(({ kind }) => kind === 'called')).toHaveLength(3)
    expect(w.api.requests).toHaveLength(3)
    expect((await here.use(name, { order: '7' })).kind).toBe('called')
  })

  test('are at most 60 per customer per UTC day, and a refused call does not count in the reply', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const max = ACTION_LIMITS.callsPerCustomerPerDay
    await setActionsToday(w.world, w.shop, talk.contactId, max - 2)
    const told = await Promise.all([1, 2, 3, 4, 5].map(() => talk.use(name, { order: '7' })))
    expect(told.filter(({ kind }) => kind === 'called')).toHaveLength(2)
    expect(w.api.requests).toHaveLength(2)
    const refused = await talk.use(name, { order: '7' }, 'the last reply')
    expect(refused.text).toContain('today')
    expect(await actionsOfReply(w.world, 'the last reply')).toBeUndefined()
    // Another customer has separate calls, and tomorrow is another day.
    const another = await w.customer()
    expect((await another.use(name, { order: '7' })).kind).toBe('called')
    w.world.clock.advance(DAY_MS)
    expect((await talk.use(name, { order: '7' })).kind).toBe('called')
  })

  test('from a widget visitor are counted per conversation', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const ofVisitor = { channelType: 'web_widget', contactId: null }
    await putConversation(w.world, talk.conversationId, ofVisitor)
    await talk.use(name, { order: '7' })
    const customer = talk.conversationId
    expect(await actionsByDay(w.world, w.shop)).toContainEqual({ customer, calls: 1 })
  })

  test('in one reply have 30 seconds in all', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const slowReply = w.deps.ids.uuid()
    await talk.use(name, { order: '7' }, slowReply)
    const reply = { companyId: w.shop.companyId, replyId: slowReply }
    await putActionsOfReply(w.world, reply, { usedMs: 30_000 })
    expect(await talk.use(name, { order: '7' }, slowReply)).toEqual(called(COULD_NOT_CHECK))
    expect(w.api.requests).toHaveLength(1)
  })

  test('use up the 30 seconds of their reply alone, one after the other', async () => {
    const reply = { companyId: w.shop.companyId, replyId: w.deps.ids.uuid() }
    const another = { ...reply, replyId: w.deps.ids.uuid() }
    const { db, clock } = w.deps
    const take = (of: typeof reply) =>
      transaction(db, (tx) =>
        reserveActionCall(tx, { ...of, customer: reply.replyId, now: clock.now() }),
      )
    expect([await take(reply), await take(another)]).toEqual([30_000, 30_000])
    await addReplyTime(db.kysely, { ...reply, durationMs: 12_000 })
    await addReplyTime(db.kysely, { ...reply, durationMs: 7_999.6 })
    await addReplyTime(db.kysely, { ...another, durationMs: 60_000 })
    expect([await take(reply), await take(another)]).toEqual([10_000, 0])
  })

  test('leave no trace of the credential in log and database', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    w.api.reply(json(200, { echo: API_TOKEN }))
    await talk.use(name, { order: '7' })
    w.api.reply(json(500, { echo: API_TOKEN }))
    await talk.use(name, { order: '7' })
    expect(w.world.logged.join('\n')).not.toContain(API_TOKEN)
    expect(JSON.stringify(await callsOf(w.world, w.shop))).not.toContain(API_TOKEN)
  })
})
