/** Hook requests whose outcome depends on what happened before them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { PLAN_LIMITS } from '../../src/core/limits/accounts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { postHook } from '../support/post-hook.ts'
import { makeProject, setPlan } from '../support/records/accounts.ts'
import { deleteChannel, setChannelType, setConnected } from '../support/records/channels.ts'
import { contactsOf, describeContact, optOut } from '../support/records/contacts.ts'
import {
  onlyConversation,
  putConversation,
  resolveConversations,
} from '../support/records/conversations.ts'
import { refuseWrites, takeTableAway } from '../support/records/faults.ts'
import { addFlowTo, addFlowVersion, breakDesign, definitionOf } from '../support/records/flows.ts'
import { pauseHooks, whatIsStored } from '../support/records/hooks.ts'
import { addMessage } from '../support/records/messages.ts'
import { only } from '../support/records/records.ts'
import { deleteRun, putRun, runOf } from '../support/records/runs.ts'
import { countTemplate, setTemplatesToday } from '../support/records/templates.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const PHONE = '+966501234567'
const ORDER = { customer: { phone: PHONE, name: 'سارة', language: 'ar' }, order: { number: 'A-1' } }
const KEY = { 'idempotency-key': 'k-1' }
const START = '2026-11-21T09:00:30.000Z'

let shop: Shop
const world = await openWorld()

beforeEach(async () => {
  world.clock.moveTo(START)
  shop = await createOwnShop(world)
})

const ask = (body: unknown = ORDER, headers: Record<string, string> = {}) =>
  postHook(shop.hookUrl, body, headers)
const contactOf = async (of: Shop) => only(await contactsOf(world, of))

/** Gives the customer these templates of flows, at this age. */
async function templatesSent(...agesMs: number[]) {
  const { id: contactId } = await contactOf(shop)
  const { id: conversationId } = await onlyConversation(world, { contactId })
  for (const ageMs of agesMs) {
    const at = new Date(world.clock.now().getTime() - ageMs)
    const sent = { sender: 'flow', type: 'template', status: 'sent', occurredAt: at, createdAt: at }
    const messageId = await addMessage(world, { ...shop, conversationId }, sent)
    const { accountId, companyId } = shop
    await countTemplate(world, { messageId, accountId, companyId, contactId }, at)
  }
}

describe('finding the customer', () => {
  test('an existing contact and conversation are used and not changed', async () => {
    await ask()
    const { id } = await contactOf(shop)
    await describeContact(world, id, { name: 'Old name', language: 'en', tags: ['vip'] })
    const before = await contactOf(shop)
    expect(await ask({ ...ORDER, customer: { ...ORDER.customer, name: 'New' } })).toMatchObject({
      http: 202,
    })
    expect(await contactOf(shop)).toEqual(before)
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 2, conversations: 1 })
  })

  test('a customer without a name becomes a contact without one', async () => {
    expect(await ask({ customer: { phone: PHONE } })).toMatchObject({ http: 202 })
    expect(await contactOf(shop)).toMatchObject({ name: null, language: null, tags: ['webhook'] })
  })

  test("a national phone is read in the country of the flow's number", async () => {
    shop = await createOwnShop(world, { country: 'AE' })
    expect(await ask({ customer: { phone: '0501234567' } })).toMatchObject({ http: 202 })
    expect(await contactOf(shop)).toMatchObject({ phone: '+971501234567' })
  })

  test('a refused phone creates no contact', async () => {
    expect(await ask({ customer: { phone: 'abc' } })).toMatchObject({ http: 422 })
    expect(await whatIsStored(world, shop)).toMatchObject({
      contacts: 0,
      conversations: 0,
      runs: 0,
    })
  })

  test('a resolved conversation is used, and no new one begins', async () => {
    await ask()
    await resolveConversations(world, { companyId: shop.companyId })
    expect(await ask()).toMatchObject({ http: 202 })
    expect(await whatIsStored(world, shop)).toMatchObject({ conversations: 1 })
  })

  test('staff handle the conversation: accepted, the run is skipped, no event is raised and nothing is sent', async () => {
    await ask()
    await world.service.processAll()
    const { id } = await onlyConversation(world, { companyId: shop.companyId })
    await putConversation(world, id, { handledBy: 'staff' })
    const told = world.receiver.received.length
    const skipped = await ask(ORDER, KEY)
    expect(skipped.http).toBe(202)
    await world.service.processAll()
    expect(await runOf(world, skipped.id!)).toMatchObject({ status: 'skipped' })
    const later = world.receiver.received.slice(told)
    expect(later.filter(({ event }) => event.data && 'run' in event.data)).toEqual([])
    world.clock.advance(MINUTE_MS)
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 200, id: skipped.id })
  })

  test('a contact that has opted out, whatever channel it was on', async () => {
    await ask()
    await optOut(world, (await contactOf(shop)).id)
    const other = { customer: { phone: '00966 50 123 4567' } }
    expect(await ask(other)).toMatchObject({ http: 409, status: 'opted_out' })
  })
})

describe('a key', () => {
  const ENDED = ['completed', 'failed', 'skipped', 'cancelled']
  test.each(ENDED)('answers the id of a run that is %s while the run exists', async (status) => {
    const first = await ask(ORDER, KEY)
    const endedAt = world.clock.now()
    await putRun(world, first.id!, { status, endReason: 'completed', endedAt, dueAt: null })
    world.clock.advance(89 * DAY_MS)
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 200, id: first.id })
    await deleteRun(world, first.id!)
    world.clock.advance(MINUTE_MS)
    const second = await ask(ORDER, KEY)
    expect(second.http).toBe(202)
    expect(second.id).not.toBe(first.id)
  })

  test.each<[string, () => Promise<unknown>, () => Promise<unknown> | void]>([
    ['not_in_plan', () => setPlan(world, shop, 'pro'), () => setPlan(world, shop, 'business')],
    [
      'template_limit_reached',
      () => setTemplatesToday(world, shop, 1_000),
      () => world.clock.moveTo('2026-11-22T00:00:00.000Z'),
    ],
    [
      'customer_limit_reached',
      async () => {
        await ask()
        await templatesSent(0, 0, 0)
      },
      () => world.clock.advance(DAY_MS),
    ],
    [
      'channel_unavailable',
      () => setConnected(world, shop, false),
      () => setConnected(world, shop, true),
    ],
    [
      'opted_out',
      async () => {
        await ask()
        await optOut(world, (await contactOf(shop)).id)
      },
      async () => optOut(world, (await contactOf(shop)).id, null),
    ],
    ['service_unavailable', () => pauseHooks(world, true), () => pauseHooks(world, false)],
  ])('is unused after %s', async (status, refuse, allow) => {
    await refuse()
    expect(await ask(ORDER, KEY)).toMatchObject({ status, id: null })
    await allow()
    const first = await ask(ORDER, KEY)
    expect(first).toMatchObject({ http: 202, status: 'accepted' })
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 200, status: 'duplicate', id: first.id })
  })
})

describe('templates', () => {
  test.each([
    ['24 h and 1 s', DAY_MS + SECOND_MS, 202],
    ['24 h', DAY_MS, 202],
    ['23 h 59 min', DAY_MS - MINUTE_MS, 429],
  ])('are counted for a day: the customer had 3, the oldest %s ago', async (_, oldest, http) => {
    await ask()
    await templatesSent(oldest, 5 * HOUR_MS, HOUR_MS)
    expect((await ask()).http).toBe(http)
  })

  test('do not count when staff sent them by hand', async () => {
    await ask()
    const { id: conversationId } = await onlyConversation(world, { companyId: shop.companyId })
    const byHand = { sender: 'staff', type: 'template', status: 'sent' }
    for (const _ of [1, 2, 3]) await addMessage(world, { ...shop, conversationId }, byHand)
    expect(await ask()).toMatchObject({ http: 202 })
  })

  test('are counted together over an account and its projects', async () => {
    const project = await createOwnShop(world)
    await makeProject(world, project, shop)
    await setTemplatesToday(world, shop, 999)
    expect(await postHook(project.hookUrl, ORDER)).toMatchObject({ http: 202 })
    await setTemplatesToday(world, shop, 1_000)
    for (const hookUrl of [shop.hookUrl, project.hookUrl]) {
      expect(await postHook(hookUrl, ORDER)).toMatchObject({ status: 'template_limit_reached' })
    }
  })
})

test("a project's hook starts the run in the project, and its events carry the project", async () => {
  const project = await createOwnShop(world)
  await makeProject(world, project, shop)
  await postHook(project.hookUrl, ORDER)
  expect(await whatIsStored(world, project)).toMatchObject({ runs: 1, contacts: 1 })
  expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, contacts: 0, ofCompany: 0 })
  await world.service.processAll()
  const started = world.receiver
    .events('conversation.started')
    .filter((event) => event.company.id === project.companyId)
  expect(started).toHaveLength(1)
})

test('a draft changes nothing before it is published', async () => {
  const definition = await definitionOf<{ trigger: object }>(world, shop)
  const trigger = { ...definition.trigger, phonePath: 'x.y' }
  const { channelId } = shop
  const draft = { definition: { ...definition, trigger }, isDraft: true, channelId }
  await addFlowVersion(world, shop, { ...draft, triggerKind: 'webhook' })
  expect(await ask()).toMatchObject({ http: 202 })
})

test.each<[string, () => Promise<void>]>([
  ['was deleted', () => setConnected(world, shop, false).then(() => deleteChannel(world, shop))],
  ['is linked by a QR code', () => setChannelType(world, shop, 'whatsapp_qr')],
])('a number that %s is not available for hooks', async (_, change) => {
  await change()
  expect(await ask()).toMatchObject({ http: 409, status: 'channel_unavailable', id: null })
})

test('the size is that of bytes: 40,000 Arabic letters, and 65,537 bytes of which most are spaces', async () => {
  expect(await ask({ ...ORDER, filler: 'م'.repeat(40_000) })).toMatchObject({ http: 413 })
  const short = JSON.stringify(ORDER)
  const room = 65_536 - Buffer.byteLength(short)
  expect(await ask(' '.repeat(room + 1) + short)).toMatchObject({ http: 413 })
  expect(await ask(' '.repeat(room) + short)).toMatchObject({ http: 202 })
})

describe("a flow beyond the plan's number is off; counted before it are", () => {
  const max = PLAN_LIMITS.business.flows
  type Before = { flows: number; isOn?: boolean; days?: number; isOther?: boolean }
  test.each<[string, Before, number]>([
    ['one less than the plan has', { flows: max - 1 }, 202],
    ['as many as the plan has', { flows: max }, 409],
    ['none that are off', { flows: max, isOn: false }, 202],
    ['none that were published later', { flows: max, days: 1 }, 202],
    ['none of another company', { flows: max, isOther: true }, 202],
  ])('%s', async (_, { flows, isOn = true, days = -1, isOther = false }, http) => {
    const of = isOther ? await createOwnShop(world) : shop
    const firstPublishedAt = new Date(world.clock.now().getTime() + days * DAY_MS)
    for (let nth = 0; nth < flows; nth += 1) {
      await addFlowTo(world, of, { isOn, publishedVersionId: shop.versionId, firstPublishedAt })
    }
    expect((await ask()).http).toBe(http)
  })
})

describe('a request that cannot be written', () => {
  test('starts nothing, and is accepted when it is sent again', async () => {
    const bringBack = await takeTableAway(world, 'hook_shape')
    const refused = await ask(ORDER, KEY)
    await bringBack()
    expect(refused).toMatchObject({ http: 503, status: 'service_unavailable', id: null })
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, contacts: 0 })
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 202 })
  })

  test('is to be sent again when its flow cannot be read, and leaves nothing behind', async () => {
    const repair = await breakDesign(world, shop)
    expect(await ask(ORDER, KEY)).toMatchObject({
      http: 503,
      status: 'service_unavailable',
      id: null,
    })
    expect(await whatIsStored(world, shop)).toMatchObject({ runs: 0, contacts: 0, shape: null })
    await repair()
    expect(await ask(ORDER, KEY)).toMatchObject({ http: 202 })
  })

  test.each(['40P01', '40001', '23505'])(
    'is written once when its transaction lost a race (%s)',
    async (code) => {
      const accept = await refuseWrites(world, 'a new run', { code, once: true })
      const answer = await ask()
      await accept()
      expect(answer).toMatchObject({ http: 202 })
      expect(await whatIsStored(world, shop)).toMatchObject({ runs: 1, contacts: 1 })
    },
  )
})
