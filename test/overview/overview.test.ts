/** The first page of a company, the usage of each allowance, and the search over everything. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HomeView } from '../../src/contract/dashboard/home.ts'
import { oldestIdAt } from '../../src/core/ids.ts'
import { HOME_LIMITS } from '../../src/core/limits/overview.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { addAccount, allowTemplates } from '../support/records/accounts.ts'
import { setCallsToday } from '../support/records/calls.ts'
import { deleteChannel, setConnected } from '../support/records/channels.ts'
import { addConversation, onlyConversation } from '../support/records/conversations.ts'
import { addDrafts, addFlowTo, switchFlow } from '../support/records/flows.ts'
import { addHandover } from '../support/records/handovers.ts'
import { addRun, type RunRecord, runsOf } from '../support/records/runs.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import type { SearchView } from '../../src/contract/dashboard/search.ts'
import type { UsageView } from '../../src/contract/dashboard/usage.ts'
import { eventIdText } from '../../src/modules/events/event-id.ts'
import { bookableShop, booked } from '../support/bookable.ts'
import { raisePings } from '../support/deliveries.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { addHours, putEndpoint } from '../support/records/endpoints.ts'

const world = await openWorld()
const shop = await createShop(world)
/** A shop that has used nothing yet. */
const fresh = await createOwnShop(world)
let owner: Member
let member: Member
let agent: Member
// Sessions end while a test moves the clock.
beforeEach(async () => {
  owner = await signedIn(world, shop)
  member = await signedIn(world, fresh)
  agent = await signedIn(world, { ...fresh, role: 'agent' })
})
const at = `/companies/${shop.companyId}`

const home = async (by = owner, { companyId } = shop) =>
  (await by.ask<HomeView>('GET', `/companies/${companyId}/home`)).body

/** Adds a conversation whose customer has waited for this number of minutes, or since an unknown time. */
async function letWait(
  id: string,
  minutes: number | null,
  more: Parameters<typeof addConversation>[2] = {},
): Promise<void> {
  const since = new Date(world.clock.now().getTime() - (minutes ?? 0) * MINUTE_MS)
  const waitingSince = minutes === null ? null : since
  const who = { id, visitorName: `Visitor ${id}`, needsStaff: true, waitingSince }
  await addConversation(world, shop, { ...who, createdAt: since, ...more })
  const why = { reason: 'customer_upset', reasonText: 'An order', openedAt: since }
  await addHandover(world, { ...shop, conversationId: id }, why)
}

test('a new company has no step done', async () => {
  const accountId = await addAccount(world)
  const newcomer = await signedIn(world, { accountId })
  const { body: made } = await newcomer.ask<{ id: string }>('POST', '/companies', { name: 'New' })
  expect(await home(newcomer, { ...shop, companyId: made.id })).toMatchObject({
    companyName: 'New',
    setUp: {
      channel: null,
      templates: null,
      flow: null,
      hookUrl: null,
      hookRequest: null,
      endpoint: null,
      delivery: null,
    },
    needsPerson: { items: [], total: { count: 0, isMore: false } },
    today: { runs: { total: { count: 0, isMore: false }, failed: 0, hours: [] } },
  })
})

test('reports each step of the set-up with its details, and the answer of the last hook request', async () => {
  expect((await home()).setUp).toMatchObject({
    channel: { type: 'whatsapp', number: '15550783881', connectedAt: expect.any(String) },
    templates: { count: 2, approved: 2, readAt: expect.any(String) },
    flow: { id: shop.flowId, name: 'Order is ready', isPublished: true, steps: 3 },
    hookUrl: { flowId: shop.flowId },
    hookRequest: null,
    endpoint: { id: shop.endpointId, name: 'Test receiver', isOn: true, count: 1 },
    delivery: null,
  })
  await switchFlow(world, shop, false)
  await postHook(shop.hookUrl)
  expect((await home()).setUp!.hookRequest).toMatchObject({
    flowName: 'Order is ready',
    answerStatus: 'flow_off',
  })
  await switchFlow(world, shop, true)
  await postHook(shop.hookUrl)
  expect((await home()).setUp!.hookRequest!.answerStatus).toBe('accepted')
})

systemTest('a delivery counts once a receiver has accepted it, a test too', async () => {
  const path = `${at}/endpoints/${shop.endpointId}/tests`
  world.receiver.answerWith(500)
  await owner.ask('POST', path, { type: 'ping' })
  await world.service.processAll()
  expect((await home()).setUp!.delivery).toBe(null)
  world.receiver.answerWith(200)
  await owner.ask('POST', path, { type: 'ping' })
  await world.service.processAll()
  expect((await home()).setUp!.delivery).toMatchObject({ endpointName: 'Test receiver' })
})

systemTest('runs are counted by the hour of the last 24, with those that failed', async () => {
  const hour = Math.floor(world.clock.now().getTime() / HOUR_MS) * HOUR_MS
  const ago = (hours: number) => new Date(hour - hours * HOUR_MS)
  const conversationId = (await onlyConversation(world, shop)).id
  const before = (await home()).today!.runs
  for (const [hours, status] of [
    [1, 'failed'],
    [1, 'completed'],
    [23, 'completed'],
    [25, 'failed'],
  ] as const) {
    const createdAt = ago(hours)
    // The page counts by ids, which begin with their time.
    const id = oldestIdAt(createdAt).slice(0, -12) + world.service.context.ids.uuid().slice(-12)
    const ended = { status, endReason: 'error', endedAt: createdAt }
    await addRun(world, shop, { id, conversationId, createdAt, ...ended })
  }
  const { runs } = (await home()).today!
  expect(runs.total.count).toBe(before.total.count + 3)
  expect(runs.failed).toBe(before.failed + 1)
  const told = runs.hours.find(({ hour: of }) => of === ago(1).toISOString())
  expect(told).toMatchObject({ runs: 2, failed: 1 })
  expect([runs.since, runs.hours[0]!.hour]).toEqual(Array(2).fill(ago(23).toISOString()))
})

test('the longest waiting customers are first, each with the reason; more are counted', async () => {
  await letWait('late', 64)
  await letWait('none', null)
  for (let each = 0; each < HOME_LIMITS.waitingShown; each += 1)
    await letWait(`w${each}`, 10 + each)
  const { needsPerson } = await home()
  const shown = needsPerson.items.map(({ conversationId }) => conversationId)
  expect(shown).toEqual(['late', 'w4', 'w3', 'w2', 'w1'])
  expect(needsPerson.items[0]).toMatchObject({
    name: 'Visitor late',
    reason: 'customer_upset',
    reasonText: 'An order',
  })
  expect(needsPerson.total).toEqual({ count: HOME_LIMITS.waitingShown + 2, isMore: false })
})

test('assigned, resolved and answered conversations wait for no person', async () => {
  const before = (await home()).needsPerson
  const resolved = { needsStaff: false, waitingSince: null, status: 'resolved' }
  await letWait('assigned', 90, { assigneeId: owner.personId })
  await letWait('needs-nobody', 90, { needsStaff: false })
  await letWait('resolved', 90, resolved)
  expect((await home()).needsPerson).toEqual(before)
})

test('an Agent sees who waits, and nothing of the set-up', async () => {
  const watcher = await signedIn(world, { ...shop, role: 'agent' })
  const { setUp, today, needsPerson } = await home(watcher)
  expect([setUp, today]).toEqual([null, null])
  expect(needsPerson.items).toHaveLength(HOME_LIMITS.waitingShown)
})

test('says when an allowance ends at the day’s rate, and nothing where it lasts', async () => {
  world.clock.moveTo(`${world.clock.now().toISOString().slice(0, 10)}T12:00:00.000Z`)
  owner = await signedIn(world, shop)
  const midnight = world.clock.now().getTime() - DAY_MS / 2
  const callsOnceMade = async (made: number) => {
    await setCallsToday(world, shop, made)
    return (await home()).today!.calls
  }
  const calls = await callsOnceMade(9_000)
  expect(calls).toMatchObject({ used: 9_000, limit: 10_000 })
  expect(Date.parse(calls.endsAt!)).toBeCloseTo(midnight + ((DAY_MS / 2) * 10) / 9, -2)
  expect((await callsOnceMade(10)).endsAt).toBe(null)
  expect((await callsOnceMade(10_000)).endsAt).toBe(null)
})

test('the answer of a hook request is deleted after a month; the request still counts', async () => {
  world.clock.advance(31 * DAY_MS)
  await world.service.sweep()
  owner = await signedIn(world, shop)
  expect((await home()).setUp!.hookRequest).toMatchObject({ answerStatus: null })
})

test('a step of the set-up is not done when its object is disconnected or was deleted', async () => {
  await setConnected(world, shop, false)
  expect((await home()).setUp).toMatchObject({ channel: null, templates: { count: 2 } })
  await setConnected(world, shop, true)
  await deleteChannel(world, shop)
  expect((await home()).setUp).toMatchObject({ channel: null, templates: null })
  for (const path of [`endpoints/${shop.endpointId}`, `flows/${shop.flowId}`]) {
    expect((await owner.ask('DELETE', `${at}/${path}`)).status).toBe(204)
  }
  expect((await home()).setUp).toMatchObject({
    flow: null,
    hookUrl: null,
    hookRequest: null,
    endpoint: null,
    delivery: null,
  })
})

const company = `/companies/${fresh.companyId}`

const usage = async () => (await member.ask<UsageView>('GET', `${company}/usage`)).body
const search = async (text: string, by = member, { companyId } = fresh) => {
  const path = `/companies/${companyId}/search?text=${encodeURIComponent(text)}`
  return (await by.ask<SearchView>('GET', path)).body
}
const found = async (text: string, by = member) =>
  (await search(text, by)).items.map(({ kind, id }) => `${kind} ${id}`)

describe('Usage', () => {
  test('reports each allowance with its limit and when it is whole again', async () => {
    const now = world.clock.now()
    const before = await usage()
    expect(before).toMatchObject({
      at: now.toISOString(),
      plan: 'business',
      automatedTemplates: { used: 0, limit: 1_000, byCompany: [] },
      calls: { used: 0, limit: 10_000 },
      testsAndResends: { used: 0, limit: 10 },
      connectionTests: { used: 0, limit: 10 },
      hookRequests: { used: 0, limit: 1_000 },
      counts: {
        flowsOn: { used: 1, limit: 25 },
        hookUrls: { used: 1, limit: 20 },
        endpoints: { used: 1, limit: 10 },
        connections: { used: 0, limit: 10 },
        aiActions: { used: 0, limit: 20 },
      },
    })
    const day = now.toISOString().slice(0, 10)
    const tomorrow = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString()
    expect(before.automatedTemplates.resetsAt).toBe(tomorrow)
    expect(before.calls.resetsAt).toBe(tomorrow)
    expect(Date.parse(before.hookRequests.resetsAt) % 3_600_000).toBe(0)
    expect(Date.parse(before.testsAndResends.resetsAt) % 60_000).toBe(0)
    expect(before.days).toHaveLength(30)
    expect(before.days.at(-1)!.day).toBe(day)
  })

  test('counts what was used: by project, by hook URL, by day; and nothing of another account', async () => {
    await postHook(fresh.hookUrl)
    await postHook(fresh.hookUrl)
    const other = await createOwnShop(world)
    await postHook(other.hookUrl)
    await world.service.processAll()
    for (const [n, ago] of [0, 5, 29, 30].entries()) {
      world.clock.advance(-ago * DAY_MS)
      await setCallsToday(world, fresh, n + 1)
      world.clock.advance(ago * DAY_MS)
    }
    const before = (await usage()).days.at(-1)!
    const hour = new Date(world.clock.now().getTime() - HOUR_MS)
    await addHours(world, fresh, [{ hour, attempts: 7, failures: 3 }])
    const told = await usage()
    expect(told.hookRequests.used).toBe(2)
    expect(told.hookRequestsByUrl).toMatchObject([{ flowId: fresh.flowId, used: 2, limit: 60 }])
    expect(told.automatedTemplates.byCompany).toEqual([
      { companyId: fresh.companyId, name: expect.any(String), used: told.automatedTemplates.used },
    ])
    expect(told.automatedTemplates.used).toBeGreaterThan(0)
    expect(told.calls.used).toBe(1)
    expect(told.days.map(({ calls }) => calls).filter(Boolean)).toEqual([3, 2, 1])
    expect(told.days.at(-1)).toMatchObject({
      automatedTemplates: told.automatedTemplates.used,
      deliveryAttempts: before.deliveryAttempts + 7,
      failedDeliveryAttempts: before.failedDeliveryAttempts + 3,
    })
    world.clock.advance(DAY_MS)
    member = await signedIn(world, fresh)
    const next = await usage()
    expect(next).toMatchObject({
      hookRequests: { used: 0 },
      calls: { used: 0 },
      automatedTemplates: { used: 0 },
      hookRequestsByUrl: [{ used: 0 }],
    })
  })

  test('counts existing objects that are on: not deleted, switched off or never published ones', async () => {
    const api = { name: 'API', baseUrl: world.receiver.url }
    await member.ask('POST', `${company}/connections`, api)
    const { body } = await member.ask<{ id: string }>('POST', `${company}/connections`, api)
    expect((await member.ask('DELETE', `${company}/connections/${body.id}`)).status).toBe(204)
    await addFlowTo(world, fresh, { name: 'A draft', isOn: true })
    const counted = async () => (await usage()).counts
    expect(await counted()).toMatchObject({
      flowsOn: { used: 1 },
      endpoints: { used: 1 },
      connections: { used: 1 },
    })
    await switchFlow(world, fresh, false)
    await putEndpoint(world, fresh, { deletedAt: world.clock.now() })
    expect(await counted()).toMatchObject({ flowsOn: { used: 0 }, endpoints: { used: 0 } })
    await switchFlow(world, fresh, true)
    await putEndpoint(world, fresh, { deletedAt: null })
  })

  test('has the number of templates that the operator gave', async () => {
    await allowTemplates(world, fresh, 7)
    expect((await usage()).automatedTemplates.limit).toBe(7)
  })

  test('is not shown to an Agent', async () => {
    expect((await agent.ask('GET', `${company}/usage`)).body.code).toBe('forbidden')
  })
})

describe('The search over all', () => {
  let contactId: string
  let conversationId: string
  beforeAll(async () => {
    const conversation = await onlyConversation(world, fresh)
    conversationId = conversation.id
    contactId = conversation.contactId!
    const known = { name: 'سارة العتيبي', email: 'Sara@shop.example' }
    await member.ask('PATCH', `${company}/contacts/${contactId}`, known)
  })

  systemTest.each([
    '+1 202 555 0143',
    '0012025550143',
    '٠٠١٢٠٢٥٥٥٠١٤٣',
    'sara@SHOP.example',
    'ساره',
    'العتيبى سارة',
  ])('finds a person and their conversation by %j', async (text) => {
    const both = [`contact ${contactId}`, `conversation ${conversationId}`]
    expect(await found(text)).toEqual(both)
    expect(await found(text, agent)).toEqual(both)
  })

  systemTest('finds what has an id, for members who have a page of it', async () => {
    await raisePings(world, fresh)
    const delivery = (await deliveriesOf(world, fresh)).at(-1)!
    const [run] = (await runsOf(world, { companyId: fresh.companyId })) as [RunRecord]
    const event = eventIdText(delivery.eventId)
    expect(await found(event)).toEqual([`event ${event}`, `delivery ${delivery.id}`])
    expect(await found(delivery.id.toUpperCase())).toEqual([`delivery ${delivery.id}`])
    expect(await found(run.id)).toEqual([`run ${run.id}`])
    expect(await found(conversationId)).toContain(`conversation ${conversationId}`)
    const both = [`contact ${contactId}`, `conversation ${conversationId}`]
    expect(await found(contactId)).toEqual(both)
    expect(await found(fresh.flowId)).toEqual([`flow ${fresh.flowId}`])
    for (const text of [event, delivery.id, run.id, fresh.flowId]) {
      expect(await found(text, agent)).toEqual([])
    }
    const other = await createOwnShop(world)
    const stranger = await signedIn(world, other)
    for (const text of [event, delivery.id, run.id, contactId, conversationId, 'ساره']) {
      expect((await search(text, stranger, other)).items).toEqual([])
    }
  })

  test('finds an appointment by its reference, for every role, however it is written', async () => {
    const bookable = await bookableShop(world, fresh.companyId)
    const serviceId = await bookable.service([{ id: await bookable.resource() }])
    const day = world.clock.now().toISOString().slice(0, 10)
    const startsAt = new Date(Date.parse(`${day}T10:00:00Z`) + DAY_MS)
    const { id, reference } = booked(await bookable.book({ serviceId, startsAt }))
    for (const text of [reference, reference.toLowerCase(), ` ${reference} `]) {
      for (const by of [member, agent]) {
        const subtitle = 'Haircut'
        expect((await search(text, by)).items).toEqual([
          { kind: 'appointment', id, title: reference, subtitle, at: startsAt.toISOString() },
        ])
      }
    }
    expect(await found(reference.slice(0, -1))).toEqual([])
    const other = await createOwnShop(world)
    const stranger = await signedIn(world, other)
    expect((await search(reference, stranger, other)).items).toEqual([])
  })

  test('finds a flow by a part of its name, however many newer ones there are', async () => {
    await addDrafts(world, fresh, { count: 501, definition: {} })
    expect(await found('RDER IS READY')).toContain(`flow ${fresh.flowId}`)
  })

  const SIGNS = ["'; drop table contact; --", '%', '_', '\\', '*', 'evt_', '\u202e', '😀', 'a']
  test.each(SIGNS)('takes %j as text', async (text) => {
    expect((await search(text)).isTooWide).toBe(false)
  })

  test('needs some words', async () => {
    const path = `${company}/search`
    for (const query of ['', '?text=', '?text=%20', `?text=${'x'.repeat(201)}`, '?text=%00']) {
      expect((await member.ask('GET', path + query)).status).toBe(422)
    }
  })
})
