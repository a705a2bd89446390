/** A member erases a contact: its data and messages are gone, and an opt-out stays. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { shownRun } from '../support/shown-run.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import {
  enqueueProfileLookups,
  storeName,
  NAME_QUEUE,
} from '../../src/modules/messaging/profile-lookup-queue.sql.ts'
import { accepted } from '../channels/loopback-meta.ts'
import { claimFrom } from '../support/queues.ts'
import { answerSends } from '../support/provider-answers.ts'
import { runOf } from '../support/records/runs.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { queueAgain } from '../support/records/outbox.ts'
import { rememberedOptOuts, rememberOptOut, textOfCustomers } from '../support/records/erasing.ts'
import { contactOf, describeContact } from '../support/records/contacts.ts'
import { addIdentifier, identifiersOf } from '../support/records/identifiers.ts'
import { holdLock } from '../support/records/locks.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { reply } from '../support/inbox.ts'
import { signedIn, itemsOf, auditOf } from '../support/dashboard.ts'
import { callStep, connectApi, json, startShopApi } from '../support/shop-api.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites, newWamid } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let phone: string
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`
beforeEach(() => {
  world.clock.advance(HOUR_MS)
  phone = newPhone()
})

const erase = (id: string, body: object = { confirm: true }) =>
  owner.ask<ContactView>('POST', `${at}/contacts/${id}/erase`, body)
const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
const writes = async (text: string) => {
  await customerWrites(world, shop, { from: phone, text })
  await whatsApp.settle()
}
const order = ({ hookUrl } = shop) =>
  postHook(hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })
async function find(): Promise<ContactView> {
  const query = `${at}/contacts?q=${encodeURIComponent(phone)}`
  return (await itemsOf<ContactView>(owner, query))[0]!
}
const raised = (contactId: string) => eventTypesOf(world, { contactId })

test('Erasing removes all data of a contact, raises one event and is audited', async () => {
  const known = { name: 'Sara', phone, email: 's@x.example', tags: ['a'], language: 'ar' }
  const contact = await make(known)
  const gone = { name: null, phone: null, rawPhone: null, whatsAppId: null, email: null }
  expect(await erase(contact.id)).toMatchObject({
    status: 200,
    body: { id: contact.id, ...gone, language: null, tags: [], fields: {} },
  })
  expect(await raised(contact.id)).toEqual(['contact.created', 'contact.updated'])
  const audit = await auditOf(owner, shop)
  expect(audit[0]).toMatchObject({ action: 'contact.erased', subjectId: contact.id })
  expect((await make({ name: 'Huda', phone })).phone).toBe(phone)
})

systemTest('Erasing removes the texts of conversations, and leaves the rows', async () => {
  await writes('my secret')
  const { id } = await find()
  const conversation = await onlyConversation(world, { contactId: id })
  const inbox = `${at}/conversations/${conversation.id}`
  const colleague = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const mentions = [colleague.personId]
  await owner.ask('POST', `${inbox}/notes`, { text: 'a secret note', mentions })
  await erase(id)
  const text = await textOfCustomers(world)
  expect(text).toContain(conversation.id)
  expect(text).toContain('mentioned')
  expect(text).not.toContain('secret')
  expect(text).not.toContain(`"${phone.slice(1)}"`)
  expect(await messagesOf(world, { conversationId: conversation.id })).toHaveLength(1)
})

systemTest(
  'a run of an erased contact ends without a message, and keeps none of their data',
  async () => {
    const runId = await shop.runFor(phone)
    const { id } = await find()
    await erase(id)
    await whatsApp.settle()
    const run = await owner.ask<{ status: string; variables: object }>('GET', `${at}/runs/${runId}`)
    expect(run.body).toMatchObject({ status: 'cancelled', variables: {} })
    expect(JSON.stringify(run.body)).toContain('run_contact_erased')
    expect(await raised(id)).not.toContain('flow.completed')
  },
)

test.each([
  ['', false],
  [', even if a member cancelled the run before', true],
])(
  'the result of a call that ends after its contact was erased is not stored, nor its path%s',
  async (_, isCancelled) => {
    const api = await startShopApi(world)
    const id = world.service.context.ids.uuid()
    const keep = [{ path: 'secret', name: 'secret' }]
    const call = callStep(id, {}, { next: 'tag', onFailure: null, keep })
    const tag = { kind: 'tag', add: ['secret'], remove: [], next: null }
    const its = await whatsApp.openShop({ steps: { call, tag }, start: 'call' })
    await connectApi(world, { id, companyId: its.companyId, baseUrl: api.baseUrl })
    const member = await signedIn(world, { accountId: its.accountId })
    const [path, confirm] = [`/companies/${its.companyId}`, { confirm: true }]
    api.reply((request, response) => {
      void (async () => {
        const items = await itemsOf<ContactView>(member, `${path}/contacts`)
        if (isCancelled) await member.ask('POST', `${path}/runs/${runId}/cancel`)
        await member.ask('POST', `${path}/contacts/${items[0]!.id}/erase`, confirm)
        json(200, { secret: 'secret' })(request, response)
      })()
    })
    const runId: string = await its.order(phone)
    await whatsApp.settle()
    const run = await shownRun(member, { companyId: its.companyId, runId })
    expect(run).toMatchObject({ status: 'cancelled', variables: {} })
    expect(run.steps.map((step) => step.call?.path)).toEqual([''])
    const left = await itemsOf<ContactView>(member, `${path}/contacts`)
    expect(left).toMatchObject([{ tags: [] }])
    await api.close()
  },
)

test('a message that waits to be sent to an erased contact is not sent', async () => {
  const runId = await shop.runFor(phone)
  const { id: messageId } = only(await messagesOf(world, { runId }))
  const dueAt = new Date(world.clock.now().getTime() + 365 * DAY_MS)
  await queueAgain(world, messageId, { dueAt })
  await erase((await find()).id)
  await whatsApp.settle()
  const ended = { status: 'failed', errorCode: 'sender_ended', outbound: null }
  expect(await messagesOf(world, { runId })).toMatchObject([ended])
})

test('ids in the answer to a message are not stored if its contact was erased meanwhile', async () => {
  const contacts = [{ input: phone, wa_id: `9${phone.slice(1)}`, user_id: 'SA.77001' }]
  const answer = JSON.stringify({ ...JSON.parse(accepted(newWamid())), contacts })
  const { result: runId } = await answerSends(
    { world, whatsApp },
    (response) => {
      void find()
        .then(({ id }) => erase(id))
        .then(() => response.end(answer))
    },
    () => shop.order(phone),
  )
  expect(await messagesOf(world, { runId })).toMatchObject([{ status: 'accepted' }])
  const { contactId } = await runOf(world, runId)
  expect(await contactOf(world, contactId!)).toMatchObject({ whatsappId: null })
  expect(await identifiersOf(world, contactId!)).toEqual([])
})

test('a reply in the conversation of an erased contact is refused', async () => {
  await writes('hello')
  const { id } = await find()
  const conversation = await onlyConversation(world, { contactId: id })
  await erase(id)
  const path = `${at}/conversations/${conversation.id}`
  const refused = await reply(owner, { path }, 'Are you there?')
  expect(refused).toMatchObject({ status: 409, body: { code: 'outside_service_window' } })
})

test('a customer who writes again after they were erased is a new contact', async () => {
  await writes('hello')
  const before = await find()
  await erase(before.id)
  await writes('hello again')
  const after = await find()
  expect(after).toMatchObject({ name: 'Sara', optedOut: false })
  expect(after.id).not.toBe(before.id)
})

/** The ways in which a contact gets a number. */
const COMES: [by: string, come: () => Promise<unknown>][] = [
  ['a message', () => writes('hello')],
  ['a member', () => make({ name: 'Sara', phone })],
  [
    'a member who gives it to a contact',
    async () => {
      const { id } = await make({ name: 'Sara' })
      await owner.ask('PATCH', `${at}/contacts/${id}`, { phone })
    },
  ],
]

test.each(COMES)(
  'an erased number that was opted out is opted out from the start: %s',
  async (_by, come) => {
    await writes('STOP')
    const { id } = await find()
    await erase(id)
    await come()
    const again = await find()
    expect(again).toMatchObject({ optedOut: true })
    expect(again.id).not.toBe(id)
    expect((await order()).status).toBe('opted_out')
  },
)

describe('An opt-out that is remembered for a number', () => {
  /** The key of a line, and its other form. */
  const LINES = ['551199 55119', '52155 521155', '549115 54115']
  const newLine = (starts: string) => {
    const tail = newPhone().slice(-7)
    return starts.split(' ').map((start) => `${start}${tail}`) as [key: string, other: string]
  }

  test.each(COMES)('applies to all forms of the line: %s', async (_by, come) => {
    for (const starts of LINES) {
      for (const comesBy of [0, 1] as const) {
        const line = newLine(starts)
        phone = `+${line[comesBy]}`
        await rememberOptOut(world, shop, line[1])
        await come()
        expect([phone, (await find()).optedOut]).toEqual([phone, true])
      }
    }
  })

  test('refuses a hook, which then makes no contact', async () => {
    const [key, other] = newLine(LINES[0]!)
    await rememberOptOut(world, shop, other)
    phone = `+${key}`
    expect((await order()).status).toBe('opted_out')
    expect(await find()).toBeUndefined()
  })

  test('is forgotten when a contact who is not opted out is erased', async () => {
    const [key, other] = newLine(LINES[0]!)
    await rememberOptOut(world, shop, other)
    phone = `+${key}`
    await writes('START')
    const contact = await find()
    expect(contact).toMatchObject({ optedOut: false })
    await erase(contact.id)
    expect((await order()).status).toBe('accepted')
  })
})

test('a name that the provider returns while the contact is erased is not stored', async () => {
  await customerWrites(world, shop, { from: phone })
  const runId = await shop.runFor(phone)
  const { id } = await find()
  await describeContact(world, id, { name: null })
  const talk = await onlyConversation(world, { contactId: id })
  const identifier = { contactId: id, kind: 'page', value: talk.filedUnder }
  await addIdentifier(world, shop, identifier)
  const { db, ids, clock } = world.service.context
  await transaction(db, (tx) => enqueueProfileLookups(tx, clock.now(), [talk]))
  const [asked] = await claimFrom(world, NAME_QUEUE, { limit: 1 })
  await using gate = await holdLock(world, { runId })
  const erased = erase(id)
  await gate.blocks('the erasing to hold the contact and wait')
  const told = transaction(db, (tx) => storeName(tx, { ids, now: clock.now() }, asked!, 'Sara'))
  await gate.blocks('the name to wait too', 2)
  await gate.release()
  expect((await erased).status).toBe(200)
  await told
  expect((await contactOf(world, id)).name).toBeNull()
})

systemTest('an id that arrives with a message during the erasing is remembered too', async () => {
  await writes('STOP')
  const { id } = await find()
  await using message = await holdLock(world, { companyId: shop.companyId, phone })
  const erased = erase(id)
  await message.blocks('the erasing to wait')
  const identifier = { contactId: id, kind: 'user', value: 'SA.77002' }
  await addIdentifier(message.inside, shop, identifier)
  await message.release()
  expect((await erased).status).toBe(200)
  await customerWrites(world, shop, { userId: 'SA.77002' })
  const items = await itemsOf<ContactView>(owner, `${at}/contacts?q=SA.77002`)
  expect(items).toMatchObject([{ optedOut: true }])
  expect(items[0]!.id).not.toBe(id)
})

test('the remembered opt-out contains no number, and applies to its company alone', async () => {
  await writes('STOP')
  await erase((await find()).id)
  const remembered = await rememberedOptOuts(world)
  expect(remembered.length).toBeGreaterThan(0)
  expect(remembered.join('\n')).not.toContain(phone.slice(1))
  const other = await whatsApp.openShop()
  expect((await order(other)).status).toBe('accepted')
})

test('Erasing needs an Owner or Admin, a confirmation, and a contact of the company', async () => {
  const contact = await make({ name: 'Sara' })
  expect((await erase(contact.id, {})).status).toBe(422)
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const path = `${at}/contacts/${contact.id}/erase`
  expect((await agent.ask('POST', path, { confirm: true })).status).toBe(403)
  const stranger = await whatsApp.openShop()
  const its = await signedIn(world, { accountId: stranger.accountId })
  const from = `/companies/${stranger.companyId}/contacts/${contact.id}/erase`
  expect((await its.ask('POST', from, { confirm: true })).status).toBe(404)
  const shown = await owner.ask<ContactView>('GET', `${at}/contacts/${contact.id}`)
  expect(shown.body).toMatchObject({ name: 'Sara' })
})
