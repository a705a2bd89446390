import { describe, expect, test } from 'vitest'
import { createDeliveriesWorker } from '../../src/workers/deliveries.ts'
import { createMetrics } from '../../src/infra/metrics.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { createResolver } from '../../src/infra/egress/resolve.ts'
import { DELIVERY_QUEUE } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { enqueueDueDeliveries } from '../../src/modules/deliveries/enqueue-due.sql.ts'
import { endLeases } from '../support/queues.ts'
import { endpointOf, loseSecrets, switchOff } from '../support/records/endpoints.ts'
import { loseBody } from '../support/records/events.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { addEndpoint, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const openShop = () => createOwnShop(world)

const releaseAll = () =>
  endLeases(
    world,
    DELIVERY_QUEUE,
    new Date(world.clock.now().getTime() + DELIVERY_ENGINE.leaseMs + 1),
  )
const ready = () =>
  enqueueDueDeliveries(world.database.db.kysely, { now: world.clock.now(), notLive: [] })
/** Ends the deliveries that a test has left, so that the next test finds nothing due. */
async function finish() {
  await releaseAll()
  world.receiver.answerWith(204)
  await world.service.processAll()
}
const of = (shop: Shop, claimed: { companyId: string }[]) =>
  claimed.filter(({ companyId }) => companyId === shop.companyId).length

describe('a claim', () => {
  test('takes at most 8 deliveries of an endpoint and 32 of a company', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 10)
    expect(await claim(world, { first: 100 })).toHaveLength(8)
    expect(await claim(world, { first: 100 })).toEqual([])
    for (let more = 0; more < 4; more += 1) await addEndpoint(world, shop)
    await raisePings(world, shop, 10)
    expect(await claim(world, { first: 100 })).toHaveLength(24)
    expect(await claim(world, { first: 100 })).toEqual([])
    await finish()
    expect(new Set((await deliveriesOf(world, shop)).map(({ state }) => state))).toEqual(
      new Set(['delivered']),
    )
  })

  test('takes the oldest due first', async () => {
    const shop = await openShop()
    for (let nth = 0; nth < 3; nth += 1) {
      await raisePings(world, shop)
      world.clock.advance(1_000)
    }
    const [oldest] = await deliveriesOf(world, shop)
    expect(await claim(world, { first: 1 })).toMatchObject([{ id: oldest!.id }])
    await finish()
  })

  test('puts one delivery of a company before the thousands of another', async () => {
    const [busy, quiet] = [await openShop(), await openShop()]
    for (let more = 0; more < 3; more += 1) await addEndpoint(world, busy)
    await raisePings(world, busy, 20)
    world.clock.advance(MINUTE_MS)
    await raisePings(world, quiet)
    expect(of(busy, await claim(world, { first: 1 }))).toBe(1)
    // It is due a minute later than all of the others, and still next.
    expect(of(quiet, await claim(world, { first: 1 }))).toBe(1)
    expect(of(busy, await claim(world, { first: 5 }))).toBe(5)
    await finish()
  })

  test('concurrent claims of two workers never take the same delivery', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, openShop))
    for (const shop of shops) await raisePings(world, shop, 8)
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(world, { first: 20 })))
    const taken = claims.flat().map(({ id }) => id)
    expect(new Set(taken).size).toBe(taken.length)
    const rest = (await claim(world, { first: 100 })).map(({ id }) => id)
    expect(taken.length + rest.length).toBe(48)
    await finish()
  })

  test('reaches every endpoint, however many have due deliveries', async () => {
    const shop = await openShop()
    const max = DELIVERY_ENGINE.endpointsPerClaim
    for (let more = 0; more < max; more += 1) await addEndpoint(world, shop)
    await raisePings(world, shop)
    const before = world.receiver.received.length
    await world.service.processAll()
    expect(world.receiver.received.length - before).toBe(max + 1)
  })
})

describe('first attempts, retries and tests', () => {
  test('have separate queues: a backlog of one takes no slot of another', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 3)
    const [first] = await deliveriesOf(world, shop)
    await copyDelivery(world, first!.id, 'resend', 2)
    await copyDelivery(world, first!.id, 'test')
    await ready()
    const queues = async (free: Parameters<typeof claim>[1]) =>
      (await claim(world, free)).map(({ queue, kind }) => `${queue} ${kind}`)
    expect(await queues({ retry: 1 })).toEqual(['retry resend'])
    expect(await queues({ test: 5 })).toEqual(['test test'])
    expect(await queues({ first: 2 })).toEqual(['first event', 'first event'])
    expect((await queues({ first: 9, retry: 9 })).toSorted()).toEqual([
      'first event',
      'retry resend',
    ])
    await finish()
  })

  test('a retry enters its queue when it is due, not before', async () => {
    const shop = await openShop()
    world.receiver.answerWith(500)
    await raisePings(world, shop)
    await world.service.processAll()
    world.clock.advance(MINUTE_MS - 1)
    expect(await ready()).toBe(0)
    expect(await claim(world, { first: 1, retry: 1 })).toEqual([])
    world.clock.advance(1)
    expect(await ready()).toBe(1)
    expect(await claim(world, { first: 1 })).toEqual([])
    expect(await claim(world, { retry: 1 })).toMatchObject([{ attempts: 1 }])
    await finish()
  })

  test('a test is attempted although the endpoint is off, and waits behind nothing', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 9)
    const [delivery] = await deliveriesOf(world, shop)
    expect(await claim(world, { first: 9 })).toHaveLength(8)
    await copyDelivery(world, delivery!.id, 'test')
    await switchOff(world, shop)
    await ready()
    expect(await claim(world, { first: 9, test: 1 })).toMatchObject([{ kind: 'test' }])
    await finish()
  })

  test('a test whose worker died is not posted again: it ends when its lease expires', async () => {
    const shop = await openShop()
    await raisePings(world, shop)
    const [delivery] = await deliveriesOf(world, shop)
    const [testId] = await copyDelivery(world, delivery!.id, 'test')
    await ready()
    expect(await claim(world, { first: 1, test: 1 })).toHaveLength(2)
    world.clock.advance(DELIVERY_ENGINE.leaseMs + 1)
    world.receiver.received.length = 0
    await world.service.processAll()
    const after = await deliveriesOf(world, shop)
    expect(after.find(({ id }) => id === delivery!.id)).toMatchObject({ state: 'delivered' })
    expect(after.find(({ id }) => id === testId)).toMatchObject({
      state: 'dead_lettered',
      dueAt: null,
      endedAt: world.clock.now(),
    })
    expect(world.receiver.received).toHaveLength(1)
  })
})

describe('an endpoint that fails', () => {
  test('has one slot after 10 failures in a row, and gets the others back by successes', async () => {
    const shop = await openShop()
    world.receiver.answerWith(500)
    await raisePings(world, shop, 9)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 9, slots: 8 })
    await raisePings(world, shop, 1)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 10, slots: 1 })
    await raisePings(world, shop, 9)
    world.receiver.answerWith(204)
    const [one, ...more] = await claim(world, { first: 9 })
    expect(more).toEqual([])
    expect(one).toBeDefined()
    await releaseAll()
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 0, slots: 8 })
    world.clock.advance(MINUTE_MS)
    await finish()
  })
})

describe('unreadable data', () => {
  test('a secret: the attempt fails and says so, and the endpoint is not blamed', async () => {
    const shop = await openShop()
    const other = await openShop()
    await loseSecrets(world, shop)
    await raisePings(world, shop)
    await raisePings(world, other)
    await world.service.processAll()
    const [delivery] = await deliveriesOf(world, shop)
    expect(delivery).toMatchObject({ state: 'pending', attempts: 1, lastError: 'unreadable' })
    expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 0, failingSince: null })
    expect(await deliveriesOf(world, other)).toMatchObject([{ state: 'delivered' }])
  })

  test('a lost body: it fails once, is logged, and other deliveries continue', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 2)
    const [poison] = await deliveriesOf(world, shop)
    await loseBody(world, poison!.eventId)
    await world.service.processAll()
    const [after, neighbour] = await deliveriesOf(world, shop)
    expect(after).toMatchObject({ state: 'dead_lettered', attempts: 1, lastError: 'unreadable' })
    expect(neighbour).toMatchObject({ state: 'delivered' })
    expect(await attemptsOf(world, poison!.id)).toMatchObject([{ error: 'unreadable' }])
    expect(world.logged.filter((line) => line.includes(poison!.id))).toHaveLength(1)
    expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 0 })
  })
})

test('a service that stops releases the deliveries that it has claimed and not begun', async () => {
  const shop = await openShop()
  await raisePings(world, shop, 3)
  const before = world.receiver.received.length
  const outbound = createOutboundClient({ resolve: createResolver(), isAllowedAddress: () => true })
  const worker = createDeliveriesWorker(world.service.context, {
    outbound,
    keyRing: world.service.keyRing,
    meter: createMetrics().deliveries,
    nodes: { claimId: () => world.service.context.ids.uuid(), missing: () => [] },
    onProgress() {},
  })
  const turn = worker.work()
  worker.halt!()
  expect(await turn).toBe(false)
  expect(worker.inFlight()).toBe(0)
  expect(await deliveriesOf(world, shop)).toMatchObject(
    Array.from({ length: 3 }, () => ({ state: 'pending', claimId: null, attempts: 0 })),
  )
  expect(await worker.work()).toBe(false)
  await world.service.processAll()
  expect(world.receiver.received.length - before).toBe(3)
  outbound.close()
})
