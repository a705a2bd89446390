import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HomeView } from '../../src/contract/dashboard/home.ts'
import { oldestIdAt } from '../../src/ids.ts'
import { HOME_LIMITS } from '../../src/limits/overview.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

const home = async (by = owner, { companyId } = shop) =>
  (await by.ask<HomeView>('GET', `/companies/${companyId}/home`)).body

/** A conversation of a customer who waits for staff since so many minutes ago. */
async function letWait(id: string, minutes: number | null): Promise<void> {
  const { kysely } = world.database.db
  const at = new Date(world.clock.now().getTime() - (minutes ?? 0) * MINUTE_MS)
  await sql`insert into conversation
    (id, company_id, channel_id, channel_type, filed_under, visitor_name, needs_staff, waiting_since, created_at)
    values (${id}, ${shop.companyId}, ${shop.channelId}, 'whatsapp', ${id}, ${`Visitor ${id}`}, true,
      ${minutes === null ? null : at}, ${at})`.execute(kysely)
  await sql`insert into handover (id, company_id, conversation_id, reason, reason_text, opened_at)
    values (${world.service.context.ids.uuid()}, ${shop.companyId}, ${id}, 'customer_upset', 'An order', ${at})
    `.execute(kysely)
}

test('a company that has nothing yet has no step done', async () => {
  const { ids, clock } = world.service.context
  const accountId = ids.uuid()
  const companyId = ids.uuid()
  const { kysely } = world.database.db
  await kysely
    .insertInto('account')
    .values({ id: accountId, plan: 'business', createdAt: clock.now() })
    .execute()
  await kysely
    .insertInto('company')
    .values({ id: companyId, accountId, name: 'New', createdAt: clock.now() })
    .execute()
  const member = await signedIn(world, { accountId })
  expect(await home(member, { ...shop, companyId })).toMatchObject({
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

test('tells each step of the set-up with its facts, and of the hook what it was answered', async () => {
  expect((await home()).setUp).toMatchObject({
    channel: { type: 'whatsapp', number: '15550783881', connectedAt: expect.any(String) },
    templates: { count: 2, approved: 2, readAt: expect.any(String) },
    flow: { id: shop.flowId, name: 'Order is ready', isPublished: true, steps: 3 },
    hookUrl: { flowId: shop.flowId },
    hookRequest: null,
    endpoint: { id: shop.endpointId, name: 'Test receiver', isOn: true, count: 1 },
    delivery: null,
  })
  await world.database.db.kysely.updateTable('flow').set({ isOn: false }).execute()
  await askHook(shop.hookUrl)
  expect((await home()).setUp!.hookRequest).toMatchObject({
    flowName: 'Order is ready',
    answerStatus: 'flow_off',
  })
  await world.database.db.kysely.updateTable('flow').set({ isOn: true }).execute()
  await askHook(shop.hookUrl)
  expect((await home()).setUp!.hookRequest!.answerStatus).toBe('accepted')
  // What was kept of the request is gone after a month; that one came is not forgotten.
  await world.database.db.kysely.deleteFrom('hookShape').execute()
  expect((await home()).setUp!.hookRequest).toMatchObject({ answerStatus: null })
})

systemTest('a delivery counts once a receiver has taken it, a test too', async () => {
  const path = `/companies/${shop.companyId}/endpoints/${shop.endpointId}/tests`
  world.receiver.answerWith(500)
  await owner.ask('POST', path, { type: 'ping' })
  await world.service.processAll()
  expect((await home()).setUp!.delivery).toBe(null)
  world.receiver.answerWith(200)
  await owner.ask('POST', path, { type: 'ping' })
  await world.service.processAll()
  expect((await home()).setUp!.delivery).toMatchObject({ endpointName: 'Test receiver' })
})

test('the longest waiting customers stand first, each with why; more are counted', async () => {
  await letWait('late', 64)
  await letWait('none', null)
  for (let each = 0; each < HOME_LIMITS.waitingShown; each += 1)
    await letWait(`w${each}`, 10 + each)
  const { needsPerson } = await home()
  expect(needsPerson.items.map(({ conversationId }) => conversationId)).toEqual([
    'late',
    'w4',
    'w3',
    'w2',
    'w1',
  ])
  expect(needsPerson.items[0]).toMatchObject({
    name: 'Visitor late',
    reason: 'customer_upset',
    reasonText: 'An order',
  })
  expect(needsPerson.total).toEqual({ count: HOME_LIMITS.waitingShown + 2, isMore: false })
})

test('whom somebody has, who needs nobody and what is resolved wait for no person', async () => {
  const { kysely } = world.database.db
  const before = (await home()).needsPerson
  const assigned = { assigneeId: owner.personId }
  const resolved = { needsStaff: false, waitingSince: null, status: 'resolved' }
  for (const [id, change] of [
    ['assigned', assigned],
    ['needs-nobody', { needsStaff: false }],
    ['resolved', resolved],
  ] as const) {
    await letWait(id, 90)
    await kysely.updateTable('conversation').set(change).where('id', '=', id).execute()
  }
  expect((await home()).needsPerson).toEqual(before)
})

test('of the set-up what was taken away, or is not connected, is not done', async () => {
  const { kysely } = world.database.db
  const now = world.clock.now()
  const change = async (table: 'channel' | 'endpoint' | 'flow', set: object) =>
    kysely.updateTable(table).set(set).where('companyId', '=', shop.companyId).execute()
  await change('channel', { isConnected: false })
  expect((await home()).setUp).toMatchObject({ channel: null, templates: { count: 2 } })
  await change('channel', { isConnected: true, deletedAt: now })
  expect((await home()).setUp).toMatchObject({ channel: null, templates: null })
  await change('endpoint', { deletedAt: now })
  await change('flow', { deletedAt: now })
  expect((await home()).setUp).toMatchObject({
    flow: null,
    hookUrl: null,
    hookRequest: null,
    endpoint: null,
    delivery: null,
  })
  for (const table of ['channel', 'endpoint', 'flow'] as const) {
    await change(table, { deletedAt: null })
  }
})

test('runs are told by the hour of the last 24, with those that failed', async () => {
  const now = world.clock.now()
  const { kysely } = world.database.db
  const conversation = await kysely
    .selectFrom('conversation')
    .select('id')
    .executeTakeFirstOrThrow()
  const before = (await home()).today!.runs
  for (const [hours, status] of [
    [1, 'failed'],
    [1, 'completed'],
    [23, 'completed'],
    [25, 'failed'],
  ] as const) {
    const at = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS)
    const id = oldestIdAt(at).slice(0, -12) + world.service.context.ids.uuid().slice(-12)
    await sql`insert into flow_run (id, company_id, flow_id, flow_version_id, channel_id, conversation_id,
        trigger_kind, status, end_reason, created_at, ended_at)
      values (${id}, ${shop.companyId}, ${shop.flowId}, ${shop.versionId}, ${shop.channelId},
        ${conversation.id}, 'manual', ${status}, 'error', ${at}, ${at})`.execute(kysely)
  }
  const { runs } = (await home()).today!
  expect(runs.total.count).toBe(before.total.count + 3)
  expect(runs.failed).toBe(before.failed + 1)
  const ago = (hours: number) =>
    new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS).toISOString()
  expect(runs.hours.find(({ hour }) => hour === ago(1))).toMatchObject({ runs: 2, failed: 1 })
  expect(runs.since).toBe(ago(23))
  expect(runs.hours[0]!.hour).toBe(ago(23))
})

test('says when an allowance ends at the pace of the day, and nothing where it lasts', async () => {
  const { kysely } = world.database.db
  const noon = `${world.clock.now().toISOString().slice(0, 10)}T12:00:00.000Z`
  world.clock.advance(Math.max(0, Date.parse(noon) - world.clock.now().getTime()))
  owner = await signedIn(world, { accountId: shop.accountId })
  const now = world.clock.now()
  const day = now.toISOString().slice(0, 10)
  const passed = now.getTime() - Date.parse(`${day}T00:00:00Z`)
  const use = (used: number) =>
    sql`insert into call_day values (${shop.accountId}, ${day}::date, ${used})
      on conflict (account_id, day) do update set made = ${used}`.execute(kysely)
  await use(9_000)
  const { calls } = (await home()).today!
  expect(calls).toMatchObject({ used: 9_000, limit: 10_000 })
  expect(Date.parse(calls.endsAt!)).toBeCloseTo(
    Date.parse(`${day}T00:00:00Z`) + (passed * 10) / 9,
    -2,
  )
  await use(10)
  expect((await home()).today!.calls.endsAt).toBe(null)
  await use(10_000)
  expect((await home()).today!.calls.endsAt).toBe(null)
})

test('an Agent sees who waits, and nothing of what is set up', async () => {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const { setUp, today, needsPerson } = await home(agent)
  expect([setUp, today]).toEqual([null, null])
  expect(needsPerson.items).toHaveLength(HOME_LIMITS.waitingShown)
})

test('of another account nothing is told', async () => {
  const other = await createShop(world, { phoneNumberId: '4', businessAccountId: '4' })
  const stranger = await signedIn(world, { accountId: other.accountId })
  expect((await stranger.ask('GET', `/companies/${shop.companyId}/home`)).status).toBe(404)
  expect((await home(stranger, other)).needsPerson.items).toEqual([])
})
