/** The last attempts of endpoints, in the list and on the page of one. */
import { expect, test } from 'vitest'
import type {
  EndpointHealthView,
  EndpointView,
  ListedEndpoint,
} from '../../src/contract/dashboard/endpoint.ts'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HEALTH_GRAPH } from '../../src/core/limits/deliveries.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { addDeliveries, deliveriesOf, putAttempts } from '../support/records/deliveries.ts'
import { addHours } from '../support/records/endpoints.ts'
import { signedIn } from '../support/dashboard.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { createOwnShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const shop = await createOwnShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })

/** Makes another shop. Returns it with requests to its endpoint. */
async function ownShop() {
  const own = await createOwnShop(world)
  const member = await signedIn(world, { accountId: own.accountId })
  const path = `/companies/${own.companyId}/endpoints/${own.endpointId}`
  const get = async <Body>(more = '') => (await member.ask<Body>('GET', `${path}${more}`)).body
  return { own, get }
}

const endpoints = () => `/companies/${shop.companyId}/endpoints`
const health = async (query = '') =>
  (await owner.ask<EndpointHealthView>('GET', `${endpoints()}/${shop.endpointId}/health${query}`))
    .body

test('the page counts attempts by status, type and cause, with their duration, without tests', async () => {
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
    deliveries: 5,
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

systemTest('the page samples only the newest deliveries, and says so', async () => {
  const expired = Array.from({ length: HEALTH_GRAPH.sampledDeliveries }, () => 'expired')
  await addDeliveries(world, shop, expired)
  const { sample } = await health()
  expect(sample).toMatchObject({ deliveries: HEALTH_GRAPH.sampledDeliveries, isAll: false })
  const asked = await owner.ask('GET', `${endpoints()}/${shop.endpointId}/health?hours=0`)
  expect(asked.status).toBe(422)
})

test('the list shows a day of each endpoint by the hour', async () => {
  const second = await addEndpoint(world, shop)
  const nowMs = world.clock.now().getTime()
  const dayAgo = new Date(nowMs - (nowMs % HOUR_MS) - HEALTH_GRAPH.listHours * HOUR_MS)
  await addHours(world, shop, [{ hour: dayAgo, attempts: 100, failures: 50 }])
  const { body } = await owner.ask<Page<ListedEndpoint>>('GET', endpoints())
  const days = new Map(body.items.map(({ id, day }) => [id, day]))
  expect(days.get(shop.endpointId)).toEqual({
    attempts: 5,
    failures: 2,
    hours: [{ hour: new Date(nowMs - (nowMs % HOUR_MS)).toISOString(), attempts: 5, failures: 2 }],
  })
  expect(days.get(second)).toEqual({ attempts: 0, failures: 0, hours: [] })
})

test('the history of an endpoint has all changes of it, and nothing else', async () => {
  await owner.ask('PATCH', `${endpoints()}/${shop.endpointId}`, { name: 'Renamed' })
  await owner.ask('POST', `${endpoints()}/${shop.endpointId}/switch-off`)
  const { body } = await owner.ask<Page<AuditView>>('GET', `/audit?subjectId=${shop.endpointId}`)
  const actions = body.items.map(({ action }) => action)
  expect(actions.slice(0, 2)).toEqual(['endpoint.switched_off', 'endpoint.edited'])
  expect(new Set(body.items.map(({ subjectId }) => subjectId))).toEqual(new Set([shop.endpointId]))
})

test('the page leaves out late attempts, and deliveries from before the requested hours', async () => {
  const { own, get } = await ownShop()
  const sampleOf = async (hours: number) =>
    (await get<EndpointHealthView>(`/health?hours=${hours}`)).sample
  await raisePings(world, own, 2)
  await world.service.processAll()
  const [one] = await deliveriesOf(world, own)
  await putAttempts(world, one!.id, { isLate: true })
  expect(await sampleOf(1)).toMatchObject({ deliveries: 2, attempts: 1 })
  world.clock.advance(2 * HOUR_MS)
  expect(await sampleOf(1)).toMatchObject({ deliveries: 0, attempts: 0, since: null })
  expect(await sampleOf(3)).toMatchObject({ deliveries: 2, attempts: 1 })
})

systemTest('the page shows the last success and the last failure', async () => {
  const { own, get } = await ownShop()
  const attempted = async (status: number) => {
    world.clock.advance(MINUTE_MS)
    world.receiver.answerWith(status)
    await raisePings(world, own)
    await world.service.processAll()
    const { lastSuccessAt, lastFailureAt } = await get<EndpointView>()
    return { wellAt: lastSuccessAt, failedAt: lastFailureAt }
  }
  const now = () => world.clock.now().toISOString()
  expect(await attempted(204)).toEqual({ wellAt: now(), failedAt: null })
  const wellAt = now()
  expect(await attempted(500)).toEqual({ wellAt, failedAt: now() })
  const failedAt = now()
  // Its retry succeeds too.
  expect(await attempted(204)).toEqual({ wellAt: now(), failedAt })
})

test('the durations are those of answers: the median and the 95th percentile', async () => {
  const { own, get } = await ownShop()
  world.receiver.answerWith(204)
  await raisePings(world, own, 4)
  await world.service.processAll()
  const made = await deliveriesOf(world, own)
  // The last attempt had no answer: it timed out.
  for (const [at, durationMs] of [100, 200, 300, 10_000].entries()) {
    const timedOut = at === 3 && { httpStatus: null, error: 'timeout' }
    await putAttempts(world, made[at]!.id, { durationMs, ...timedOut })
  }
  const { sample } = await get<EndpointHealthView>('/health')
  expect(sample).toMatchObject({ attempts: 4, p50Ms: 200, p95Ms: 300 })
})
