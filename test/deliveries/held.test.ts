/** Deliveries to an endpoint that is off or deleted, or of an account whose plan has no webhooks. */
import { describe, expect, test } from 'vitest'
import { transaction } from '../../src/infra/database/transaction.ts'
import { enqueueDueDeliveries } from '../../src/modules/deliveries/enqueue-due.sql.ts'
import { releaseHeldDeliveries } from '../../src/modules/deliveries/release-held.sql.ts'
import { recordAttempts } from '../../src/modules/deliveries/record-attempts.sql.ts'
import { removeEndpoint } from '../../src/modules/endpoints/delete-endpoint.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { DAY_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { setPlan } from '../support/records/accounts.ts'
import { deliveriesOf, deliveryStatesOf, putDeliveries } from '../support/records/deliveries.ts'
import { markDeleted, switchOff, switchOn } from '../support/records/endpoints.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()

const openShop = () => createOwnShop(world)
async function countStates(shop: Shop) {
  const counts: Record<string, number> = {}
  for (const state of await deliveryStatesOf(world, shop)) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
async function processFor(ms: number) {
  world.clock.advance(ms)
  await world.service.processAll()
}
/** A shop whose endpoint answered its first event with this status. */
async function shopThatAnswered(status: number) {
  const shop = await openShop()
  world.receiver.answerWith(status)
  await raisePings(world, shop)
  await world.service.processAll()
  return shop
}
const remove = (shop: Shop) =>
  transaction(world.database.db, (tx) => removeEndpoint(tx, world.clock.now(), shop))
const attemptsSince = (before: number) => world.receiver.received.length - before

describe('an endpoint that is off', () => {
  test('has everything held that waits for it, due now or later, and nothing is attempted', async () => {
    const shop = await shopThatAnswered(500)
    await raisePings(world, shop, 2)
    await switchOff(world, shop)
    const before = world.receiver.received.length
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 3 })
    await raisePings(world, shop)
    await processFor(DAY_MS)
    expect(await countStates(shop)).toEqual({ held: 4 })
    expect(attemptsSince(before)).toBe(0)
  })

  systemTest('has any number of deliveries held, in statements of at most 500', async () => {
    const shop = await openShop()
    await raisePings(world, shop)
    const [delivery] = await deliveriesOf(world, shop)
    await copyDelivery(world, delivery!.id, 'event', 2_499)
    await switchOff(world, shop)
    const taken: number[] = []
    const ready = () =>
      enqueueDueDeliveries(world.database.db.kysely, { now: world.clock.now(), notLive: [] })
    for (let rows = await ready(); rows > 0; rows = await ready()) taken.push(rows)
    expect(taken).toEqual(Array.from({ length: 5 }, () => DELIVERY_ENGINE.readyBatch))
    expect(await countStates(shop)).toEqual({ held: 2_500 })
  })

  test('has a late delivery held by the claim that finds it', async () => {
    const shop = await openShop()
    await switchOff(world, shop)
    world.clock.advance(2 * DELIVERY_ENGINE.lateChangesMs)
    await switchOn(world, shop)
    await raisePings(world, shop)
    await switchOff(world, shop, { at: new Date(world.clock.now().getTime() - DAY_MS) })
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 1 })
  })

  systemTest('sends nothing when switched on; held deliveries go on release', async () => {
    const shop = await shopThatAnswered(500)
    world.clock.advance(SECOND_MS)
    await switchOff(world, shop)
    await raisePings(world, shop, 3)
    await world.service.processAll()
    await switchOn(world, shop)
    world.receiver.answerWith(204)
    const before = world.receiver.received.length
    await processFor(DAY_MS)
    expect(attemptsSince(before)).toBe(0)

    const { ids } = world.service.context
    const job = { ...shop, jobId: ids.uuid(), beforeId: ids.uuid() }
    const release = (max: number) =>
      transaction(world.database.db, (tx) =>
        releaseHeldDeliveries(tx, { ...job, now: world.clock.now(), limit: max }),
      )
    expect(await release(3)).toBe(3)
    // The oldest are released first.
    expect((await deliveryStatesOf(world, shop))[0]).toBe('pending')
    await processUnwoken(world)
    expect(await countStates(shop)).toEqual({ delivered: 3, held: 1 })
    expect(await release(3)).toBe(1)
    await processUnwoken(world)
    expect(await countStates(shop)).toEqual({ delivered: 4 })
    expect((await deliveriesOf(world, shop))[0]).toMatchObject({ attempts: 2 })
  })
})

test.each([
  ['switched off has what fails in flight held', switchOff, 'held'],
  [
    'deleted has what fails in flight cancelled',
    (_: unknown, shop: Shop) => remove(shop),
    'cancelled',
  ],
])('an endpoint that is %s; what is delivered in flight is delivered', async (_, end, state) => {
  const shop = await openShop()
  await raisePings(world, shop, 2)
  const [one, two] = await claim(world, { first: 2 })
  await end(world, shop)
  await recordAttempts(world.service.context, [
    attemptOf(world, one!, 'timeout'),
    attemptOf(world, two!, null),
  ])
  expect(await countStates(shop)).toEqual({ delivered: 1, [state]: 1 })
})

test('a delivery that waited for 7 days while the service was stopped is never sent', async () => {
  const shop = await openShop()
  await raisePings(world, shop, 3)
  world.clock.advance(8 * DAY_MS)
  const before = world.receiver.received.length
  expect(await claim(world, { first: 2 })).toEqual([])
  expect(await countStates(shop)).toEqual({ expired: 2, pending: 1 })
  await world.service.processAll()
  expect(await countStates(shop)).toEqual({ expired: 3 })
  expect(attemptsSince(before)).toBe(0)
})

describe('an account that leaves Business', () => {
  test('has nothing delivered any more: present and future deliveries are held', async () => {
    const shop = await shopThatAnswered(500)
    world.clock.advance(30 * SECOND_MS)
    await raisePings(world, shop, 2)
    await setPlan(world, shop, 'pro')
    world.receiver.answerWith(204)
    const before = world.receiver.received.length
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 2, pending: 1 })
    await processFor(30 * SECOND_MS)
    expect(await countStates(shop)).toEqual({ held: 3 })
    await raisePings(world, shop)
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 4 })
    expect(attemptsSince(before)).toBe(0)
  })

  test('has the next attempt on schedule if it returns before that', async () => {
    const shop = await shopThatAnswered(500)
    await setPlan(world, shop, 'pro')
    await processFor(30 * SECOND_MS)
    await setPlan(world, shop, 'business')
    world.receiver.answerWith(204)
    await processFor(30 * SECOND_MS)
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })
})

describe('an endpoint that is deleted', () => {
  test('with more deliveries than one transaction cancels has the others cancelled after it', async () => {
    const shop = await shopThatAnswered(500)
    const [delivery] = await deliveriesOf(world, shop)
    const copies = await copyDelivery(world, delivery!.id, 'event', 700)
    await putDeliveries(world, copies, { state: 'held', dueAt: null })
    await markDeleted(world, shop)
    await processUnwoken(world)
    expect(await countStates(shop)).toEqual({ cancelled: 701 })
  })
})
