/**
 * A node sends its own events from memory, without a claim: right after the commit, in fair shares, and always by
 * the current settings of an endpoint. Spec: Deliveries › Order and shares; readings D3, D12, D14.
 */
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { changePlan } from '../../src/modules/accounts/change-plan.ts'
import type { NewEndpoint } from '../../src/contract/dashboard/endpoint.ts'
import { createDeliveriesWorker, type DeliveriesWorker } from '../../src/workers/deliveries.ts'
import { claimIdOf } from '../../src/infra/database/node-locks.sql.ts'
import type { DeliveryDispatcher } from '../../src/infra/database/after-commit.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DELIVERY_QUEUE } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { raiseEvents } from '../../src/modules/events/raise-event.ts'
import { DELIVERY_ENGINE, DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { createMetrics } from '../../src/infra/metrics.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { createResolver } from '../../src/infra/egress/resolve.ts'
import { giveUpNodes } from '../support/queues.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { putHealth } from '../support/records/endpoints.ts'
import { setPlan } from '../support/records/accounts.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { addEndpoint, raisePings } from '../support/deliveries.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member
let worker: DeliveriesWorker
/** Deliveries that were committed and not handed over yet, for tests of what happens between. */
let between: Parameters<DeliveryDispatcher['take']>[]
let node = 'aaaaaaaa'

const world = await openWorld()
const outbound = createOutboundClient({
  resolve: createResolver(),
  isAllowedAddress: () => true,
  extraCa: [world.receiver.certificate],
})
afterAll(() => outbound.close())
beforeEach(async () => {
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  world.receiver.answerWith(204)
  world.receiver.received.length = 0
  node = 'aaaaaaaa'
  worker = createWorker()
  between = []
  hold()
})

function createWorker(onProgress: () => unknown = () => {}): DeliveriesWorker {
  const { context, keyRing } = world.service
  return createDeliveriesWorker(context, {
    outbound,
    keyRing,
    meter: createMetrics().deliveries,
    nodes: { claimId: () => claimIdOf(node, context.ids.uuid()), missing: () => [] },
    onProgress,
  })
}

const setDispatcher = (to: DeliveryDispatcher | null) => {
  world.service.context.db.afterCommit.deliveryDispatcher = to
}
/** Lets the test decide, from here on, when committed deliveries are handed over. */
function hold() {
  setDispatcher({
    reserve: (max) => worker.dispatcher.reserve(max),
    take: (...taken) => void between.push(taken),
    endpointsChanged: () => worker.dispatcher.endpointsChanged(),
  })
}
/** Lets a moment pass, after which a waiting delivery sees the changes of another process. */
const waitAMoment = () => world.clock.advance(DELIVERY_ENGINE.endpointKnownMs)
async function dispatch() {
  for (const taken of between.splice(0)) worker.dispatcher.take(...taken)
  await worker.drain()
}
/** Tells whether this secret signed what was sent. */
function verifies(secret: string): boolean {
  const [{ headers, body }] = world.receiver.received as [(typeof world.receiver.received)[0]]
  const signed = { header: headers['x-service-signature'], body, now: world.clock.now() }
  return verifySignature({ ...signed, secrets: [secret] })
}
const leavePlan = () =>
  changePlan(world.service.context, { accountId: shop.accountId, plan: 'free' })
const endpointPath = () => `/companies/${shop.companyId}/endpoints/${shop.endpointId}`
const statesOf = async (of: Shop = shop) =>
  (await deliveriesOf(world, of)).map(({ state }) => state).toSorted()
const leasedOf = async (of: Shop = shop) =>
  (await deliveriesOf(world, of)).filter(({ claimId }) => claimId !== null).length

/** Returns pings of shops, as many as requested, for a transaction. */
const pings = (count: number, of: Shop[] = [shop]) =>
  Array.from({ length: count }).flatMap(() =>
    of.map(({ companyId }) => ({
      type: 'ping' as const,
      company: { id: companyId, name: 'Shop' },
      data: { message: 'hello' },
      occurredAt: world.clock.now(),
    })),
  )
const raise = (tx: Parameters<typeof raiseEvents>[0], count: number, of?: Shop[]) =>
  raiseEvents(tx, { ids: world.service.context.ids, now: world.clock.now() }, pings(count, of))
const raiseTogether = (count: number, of?: Shop[]) =>
  transaction(world.service.context.db, (tx) => raise(tx, count, of))

describe('an event of this node', () => {
  test('is sent once after its commit, without a claim, and recorded', async () => {
    setDispatcher(worker.dispatcher)
    await raisePings(world, shop)
    await worker.drain()
    expect(world.receiver.received).toHaveLength(1)
    expect(await deliveriesOf(world, shop)).toMatchObject([
      { state: 'delivered', attempts: 1, claimId: null, queue: null },
    ])
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(1)
  })

  test('needs no other statement before it is sent', async () => {
    await raisePings(world, shop)
    const connect = vi.spyOn(world.service.context.db.pool, 'connect')
    let askedBefore: number | null = null
    world.receiver.answerWith(() => {
      askedBefore ??= connect.mock.calls.length
      return 204
    })
    await dispatch()
    connect.mockRestore()
    expect(askedBefore).toBe(0)
    expect(await statesOf()).toEqual(['delivered'])
  })

  test('is due in its queue if no dispatcher takes it', async () => {
    setDispatcher(null)
    await raisePings(world, shop)
    expect(await deliveriesOf(world, shop)).toMatchObject([{ claimId: null, queue: 'first' }])
    await processUnwoken(world)
    expect(await statesOf()).toEqual(['delivered'])
  })

  test('is not sent if it is not committed, and its reserved slot is free again', async () => {
    const rolledBack = transaction(world.service.context.db, async (tx) => {
      await raise(tx, 1)
      throw new Error('changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('changed my mind')
    expect(between).toEqual([[10, [], []]])
    await dispatch()
    expect(world.receiver.received).toEqual([])
  })

  test('with a lost answer to its commit is sent only if it was committed', async () => {
    const { db } = world.service.context
    const proxy = await createDatabaseProxy(world.database.connection)
    const behind = connectDatabase(proxy.connection)
    onTestFinished(() => proxy.close())
    onTestFinished(() => behind.close())
    const lost = transaction({ ...behind, afterCommit: db.afterCommit }, async (tx) => {
      await raise(tx, 1)
      proxy.shut()
    })
    await expect(lost).rejects.toThrow('connection')
    // The transaction knew of one delivery: it is searched for, and is missing.
    expect(between.flatMap(([, eager]) => eager)).toHaveLength(1)
    await dispatch()
    expect(world.receiver.received).toEqual([])
    expect(await statesOf()).toEqual([])
  })
})

describe('between the commit and the hand-over', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['a switch-off', () => owner.ask('POST', `${endpointPath()}/switch-off`), 'held'],
    ['a deletion', () => owner.ask('DELETE', endpointPath()), 'cancelled'],
    ['a plan without webhooks', () => leavePlan(), 'held'],
    [
      'a plan that another process changes',
      () => setPlan(world, shop, 'free').then(waitAMoment),
      'held',
    ],
  ])('%s is obeyed, and nothing is sent', async (_, change, state) => {
    await raisePings(world, shop)
    await change()
    await dispatch()
    await worker.work()
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state, claimId: null }])
    expect(world.receiver.received).toEqual([])
  })

  test('two rotations are obeyed: the two newest secrets sign, the leaked one does not', async () => {
    await raisePings(world, shop)
    const secrets: string[] = []
    for (let nth = 0; nth < 2; nth += 1) {
      const path = `${endpointPath()}/secret/rotate`
      secrets.push((await owner.ask<NewEndpoint>('POST', path)).body.secret)
    }
    await dispatch()
    expect([shop.secret, ...secrets].map(verifies)).toEqual([false, true, true])
  })

  test('a rotation whose 24 hours have ended is obeyed: the old secret no longer signs', async () => {
    const { body: made } = await owner.ask<NewEndpoint>('POST', `${endpointPath()}/secret/rotate`)
    world.clock.advance(DELIVERY_LIMITS.secretOverlapMs)
    await raisePings(world, shop)
    await dispatch()
    expect([shop.secret, made.secret].map(verifies)).toEqual([false, true])
  })

  test('a changed URL is obeyed', async () => {
    await raisePings(world, shop)
    const url = new URL('/moved', world.receiver.url).href
    expect((await owner.ask('PATCH', endpointPath(), { url })).status).toBe(200)
    await dispatch()
    expect(world.receiver.received).toMatchObject([{ path: '/moved' }])
  })

  test('a delivery is not sent if another node has taken it, which assumed this one to be dead', async () => {
    await raisePings(world, shop)
    await giveUpNodes(world, DELIVERY_QUEUE, [node])
    waitAMoment()
    await dispatch()
    expect(world.receiver.received).toEqual([])
    await processUnwoken(world)
    expect(await statesOf()).toEqual(['delivered'])
    expect(world.receiver.received).toHaveLength(1)
  })

  test('an endpoint that began to fail has one slot: the other deliveries return to its queue', async () => {
    await raiseTogether(3)
    await putHealth(world, shop, { slots: 1 })
    waitAMoment()
    await dispatch()
    expect(await statesOf()).toEqual(['delivered', 'pending', 'pending'])
    expect(await leasedOf()).toBe(0)
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(3)
  })

  test('an endpoint that has failed here for the tenth time has one slot immediately', async () => {
    await putHealth(world, shop, { failuresInRow: DELIVERY_ENGINE.oneSlotAfterFailuresInRow - 1 })
    await raisePings(world, shop)
    await raiseTogether(3)
    world.receiver.answerWith(503)
    worker.dispatcher.take(...between.shift()!)
    await worker.drain()
    world.receiver.answerWith(204)
    await dispatch()
    expect(await statesOf()).toEqual(['delivered', 'pending', 'pending', 'pending'])
    expect(world.receiver.received).toHaveLength(2)
  })

  test('a delivery that waited too long for its lease is released, and claimed', async () => {
    await raisePings(world, shop)
    world.clock.advance(DELIVERY_ENGINE.eagerWaitMs + 1)
    await dispatch()
    expect(world.receiver.received).toEqual([])
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'pending', claimId: null }])
    await processUnwoken(world)
    expect(await statesOf()).toEqual(['delivered'])
  })

  test('a process that stops releases the deliveries that it has not begun', async () => {
    await raisePings(world, shop)
    worker.halt!()
    await dispatch()
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'pending', claimId: null }])
    expect(worker.dispatcher.reserve(1)).toBeNull()
  })

  test('a process that dies leaves its deliveries to others, who claim them', async () => {
    await raisePings(world, shop)
    between = []
    const released = await giveUpNodes(world, DELIVERY_QUEUE, [node])
    expect(released).toBe(1)
    await processUnwoken(world)
    expect(await statesOf()).toEqual(['delivered'])
  })
})

describe('shares of handed-over deliveries', () => {
  test('8 of an endpoint: the others wait in their queue, and later ones wait behind them', async () => {
    await raiseTogether(10)
    expect(await leasedOf()).toBe(8)
    await raisePings(world, shop)
    expect(await leasedOf()).toBe(8)
    await dispatch()
    expect(world.receiver.received).toHaveLength(8)
    await raisePings(world, shop)
    expect(await leasedOf()).toBe(0)
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(12)
  })

  test('32 of a company', async () => {
    for (let more = 0; more < 4; more += 1) await addEndpoint(world, shop)
    await raiseTogether(8)
    expect(await leasedOf()).toBe(32)
    await dispatch()
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(40)
  })

  test('one of an endpoint that keeps failing', async () => {
    await putHealth(world, shop, { slots: 1 })
    await raiseTogether(3)
    expect(await leasedOf()).toBe(1)
    await dispatch()
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(3)
  })

  test('deliveries in flight on another node count', async () => {
    await raiseTogether(8)
    node = 'bbbbbbbb'
    await raisePings(world, shop)
    expect(await leasedOf()).toBe(8)
    await dispatch()
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(9)
  })

  test('as many as memory has slots for, shared by companies', async () => {
    const other = await createOwnShop(world)
    const { reserve } = worker.dispatcher
    setDispatcher({
      reserve: () => ({ ...reserve(4)!, slots: 4 }),
      take: (...taken) => void between.push(taken),
      endpointsChanged() {},
    })
    await raiseTogether(6, [shop, other])
    expect([await leasedOf(), await leasedOf(other)]).toEqual([2, 2])
    await dispatch()
    await processUnwoken(world)
    expect(world.receiver.received).toHaveLength(12)
  })

  test('a slot that becomes free wakes the claim of what waits for it, and no other', async () => {
    let woken = 0
    worker = createWorker(() => (woken += 1))
    await raiseTogether(8)
    await dispatch()
    expect(woken).toBe(0)
    await raiseTogether(9)
    await dispatch()
    expect(woken).toBe(8)
    await processUnwoken(world)
  })
})
