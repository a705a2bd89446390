/** What the list of endpoints and the page of one tell of their last attempts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  EndpointHealthView,
  EndpointView,
  ListedEndpoint,
} from '../../src/contract/dashboard/endpoint.ts'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HEALTH_GRAPH } from '../../src/limits/deliveries.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
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

const endpoints = () => `/companies/${shop.companyId}/endpoints`
const health = async (query = '') =>
  (await owner.ask<EndpointHealthView>('GET', `${endpoints()}/${shop.endpointId}/health${query}`))
    .body

test('by status, type and cause, with how long answers took, tests left out', async () => {
  await raisePings(world, shop, 3)
  await world.service.processAll()
  world.receiver.answerWith(502)
  await raisePings(world, shop, 2)
  await world.service.processAll()
  world.receiver.answerWith(500)
  await owner.ask('POST', `${endpoints()}/${shop.endpointId}/tests`, { type: 'ping' })
  world.receiver.answerWith(204)
  const { sample, now } = await health()
  expect(now).toEqual({ attempts: 5, failures: 2 })
  expect(sample).toMatchObject({
    deliveries: 6,
    isAll: true,
    attempts: 5,
    byStatus: [
      { status: 204, attempts: 3 },
      { status: 502, attempts: 2 },
    ],
    byType: [{ type: 'ping', attempts: 5, failures: 2 }],
    causes: [
      {
        error: 'http_error',
        status: 502,
        attempts: 2,
        message: { text: expect.stringContaining('502') },
      },
    ],
  })
  expect(sample.p50Ms).toBeGreaterThanOrEqual(0)
  expect(sample.p95Ms).toBeGreaterThanOrEqual(sample.p50Ms!)
  expect(sample.since).toBe(world.clock.now().toISOString())
})

systemTest('of no more than the newest deliveries, and says so', async () => {
  await world.database.db.pool.query(
    `with happened as (
      insert into event (id, company_id, type, occurred_at)
      select new_uuid_v7($3), $1, 'ping', $3 from generate_series(1, $4) returning id
    )
    insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
      kind, state, created_at, ended_at)
    select id, $1, $2, id, id, '2026-10', 'event', 'expired', $3, $3 from happened`,
    [shop.companyId, shop.endpointId, world.clock.now(), HEALTH_GRAPH.sampledDeliveries],
  )
  const { sample } = await health()
  expect(sample).toMatchObject({ deliveries: HEALTH_GRAPH.sampledDeliveries, isAll: false })
  const asked = await owner.ask('GET', `${endpoints()}/${shop.endpointId}/health?hours=0`)
  expect(asked.status).toBe(422)
})

test('in the list: a day of each endpoint by the hour, and its last delivery', async () => {
  const second = await addEndpoint(world, shop)
  const nowMs = world.clock.now().getTime()
  const dayAgo = new Date(nowMs - (nowMs % HOUR_MS) - HEALTH_GRAPH.listHours * HOUR_MS)
  await world.database.db.kysely
    .insertInto('deliveryHour')
    .values({
      endpointId: shop.endpointId,
      companyId: shop.companyId,
      hour: dayAgo,
      attempts: 100,
      failures: 50,
    })
    .execute()
  const { body } = await owner.ask<Page<ListedEndpoint>>('GET', endpoints())
  const days = new Map(body.items.map(({ id, day }) => [id, day]))
  expect(days.get(shop.endpointId)).toEqual({
    attempts: 5,
    failures: 2,
    hours: [{ hour: new Date(nowMs - (nowMs % HOUR_MS)).toISOString(), attempts: 5, failures: 2 }],
    lastDeliveryAt: world.clock.now().toISOString(),
  })
  expect(days.get(second)).toEqual({ attempts: 0, failures: 0, hours: [], lastDeliveryAt: null })
})

test('and its history is what was done to it, and nothing else', async () => {
  await owner.ask('PATCH', `${endpoints()}/${shop.endpointId}`, { name: 'Renamed' })
  await owner.ask('POST', `${endpoints()}/${shop.endpointId}/switch-off`)
  const { body } = await owner.ask<Page<AuditView>>('GET', `/audit?subjectId=${shop.endpointId}`)
  const actions = body.items.map(({ action }) => action)
  expect(actions.slice(0, 2)).toEqual(['endpoint.switched_off', 'endpoint.edited'])
  expect(new Set(body.items.map(({ subjectId }) => subjectId))).toEqual(new Set([shop.endpointId]))
})

test('without attempts that are late, and without deliveries from before the hours that are asked for', async () => {
  const own = await createShop(world, { phoneNumberId: 'own', businessAccountId: 'own' })
  const member = await signedIn(world, { accountId: own.accountId })
  const sampleOf = async (hours: number) => {
    const path = `/companies/${own.companyId}/endpoints/${own.endpointId}/health?hours=${hours}`
    return (await member.ask<EndpointHealthView>('GET', path)).body.sample
  }
  await raisePings(world, own, 2)
  await world.service.processAll()
  const [one] = await deliveriesOf(world, own)
  await world.database.db.kysely
    .updateTable('deliveryAttempt')
    .set({ isLate: true })
    .where('deliveryId', '=', one!.id)
    .execute()
  expect(await sampleOf(1)).toMatchObject({ deliveries: 2, attempts: 1 })
  world.clock.advance(2 * HOUR_MS)
  expect(await sampleOf(1)).toMatchObject({ deliveries: 0, attempts: 0, since: null })
  expect(await sampleOf(3)).toMatchObject({ deliveries: 2, attempts: 1 })
})

systemTest('and when an attempt last went well, and when one last failed', async () => {
  const own = await createShop(world, { phoneNumberId: 'last', businessAccountId: 'last' })
  const member = await signedIn(world, { accountId: own.accountId })
  const attempted = async (status: number) => {
    world.clock.advance(MINUTE_MS)
    world.receiver.answerWith(status)
    await raisePings(world, own)
    await world.service.processAll()
    const path = `/companies/${own.companyId}/endpoints/${own.endpointId}`
    const { body } = await member.ask<EndpointView>('GET', path)
    return { wellAt: body.lastSuccessAt, failedAt: body.lastFailureAt }
  }
  const now = () => world.clock.now().toISOString()
  expect(await attempted(204)).toEqual({ wellAt: now(), failedAt: null })
  const wellAt = now()
  expect(await attempted(500)).toEqual({ wellAt, failedAt: now() })
  const failedAt = now()
  // Its retry goes well too.
  expect(await attempted(204)).toEqual({ wellAt: now(), failedAt })
})

test('answer times are those of answers: half came within the one, 19 of 20 within the other', async () => {
  const own = await createShop(world, { phoneNumberId: 'times', businessAccountId: 'times' })
  const member = await signedIn(world, { accountId: own.accountId })
  world.receiver.answerWith(204)
  await raisePings(world, own, 4)
  await world.service.processAll()
  const made = await deliveriesOf(world, own)
  // The last had no answer: it timed out.
  for (const [at, durationMs] of [100, 200, 300, 10_000].entries()) {
    await world.database.db.kysely
      .updateTable('deliveryAttempt')
      .set({ durationMs, ...(at === 3 && { httpStatus: null, error: 'timeout' }) })
      .where('deliveryId', '=', made[at]!.id)
      .execute()
  }
  const path = `/companies/${own.companyId}/endpoints/${own.endpointId}/health`
  const { sample } = (await member.ask<EndpointHealthView>('GET', path)).body
  expect(sample).toMatchObject({ attempts: 4, p50Ms: 200, p95Ms: 300 })
})
