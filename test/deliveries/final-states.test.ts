/**
 * The ends of deliveries: their time, other deliveries that cause them, and that they happen once, also when the
 * answer to a write was lost. Spec: States › Delivery; Deliveries › Switch-off; Deliveries › Retries.
 */
import { describe, expect, test } from 'vitest'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DELIVERY_QUEUE } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { recordAttempts } from '../../src/modules/deliveries/record-attempts.sql.ts'
import { removeEndpoint } from '../../src/modules/endpoints/delete-endpoint.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { endLeases } from '../support/queues.ts'
import { addEndpoint, attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { attemptsOf, deliveriesOf, putDeliveries } from '../support/records/deliveries.ts'
import { endpointOf, markDeleted, switchOff } from '../support/records/endpoints.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const { context } = world.service

const openShop = () => createOwnShop(world)
const firstOf = async (shop: Shop) => (await deliveriesOf(world, shop))[0]!
const stateOf = async (shop: Shop, id: string) =>
  (await deliveriesOf(world, shop)).find((delivery) => delivery.id === id)!.state

async function processFor(ms: number) {
  world.clock.advance(ms)
  await world.service.processAll()
}

async function attempted(status: number) {
  world.receiver.answerWith(status)
  await world.service.processAll()
}

/** A shop whose one event waits, and is to be attempted a second later. */
async function waiting() {
  const shop = await openShop()
  await raisePings(world, shop)
  world.clock.advance(SECOND_MS)
  return { shop, delivery: await firstOf(shop) }
}

/** A shop whose one event has failed once and waits for its next attempt. */
async function failedOnce() {
  const made = await waiting()
  await attempted(500)
  return made
}

/** Adds resends of a delivery that are due in their queue. */
async function resendsOf({ id }: { id: string }, count = 1) {
  const ids = await copyDelivery(world, id, 'resend', count)
  await putDeliveries(world, ids, { queue: 'retry' })
  return ids
}

/** Expires the leases of worker processes that have died, so that their deliveries are claimed again. */
async function releaseLeases() {
  world.clock.advance(DELIVERY_ENGINE.leaseMs + 1)
  await endLeases(world, DELIVERY_QUEUE)
}

describe('The time of its end', () => {
  /** Delivers a resend of it. */
  async function resent(shop: Shop) {
    await resendsOf(await firstOf(shop))
    const [resend] = await claim(world, { retry: 1 })
    await recordAttempts(context, [attemptOf(world, resend!, null)])
  }

  async function retried() {
    await attempted(500)
    world.clock.advance(MINUTE_MS)
    await attempted(204)
  }
  async function failedLast(shop: Shop) {
    await putDeliveries(world, [(await firstOf(shop)).id], { attempts: 7 })
    await attempted(410)
  }
  const remove = (shop: Shop) =>
    transaction(context.db, (tx) => removeEndpoint(tx, world.clock.now(), shop))
  function claimLate() {
    world.clock.advance(8 * DAY_MS)
    return claim(world, { first: 1 })
  }

  test.each<[string, string, (shop: Shop) => Promise<unknown>]>([
    ['delivered', 'by its first attempt', () => attempted(204)],
    ['delivered', 'by a second', retried],
    ['dead_lettered', 'by its eighth attempt', failedLast],
    ['cancelled', 'with its endpoint', remove],
    ['cancelled', 'after its endpoint', (of) => markDeleted(world, of).then(() => attempted(204))],
    ['superseded', 'before its first attempt', resent],
    ['superseded', 'between two attempts', (shop) => attempted(500).then(() => resent(shop))],
    ['expired', 'as it comes to be claimed', claimLate],
  ])('is stored for one that is %s %s', async (state, _, end) => {
    const { shop } = await waiting()
    await end(shop)
    expect(await firstOf(shop)).toMatchObject({ state, endedAt: world.clock.now() })
    await attempted(204)
  })

  test.each<[string, (shop: Shop) => Promise<unknown>]>([
    ['pending', () => attempted(500)],
    ['held', (shop) => switchOff(world, shop).then(() => attempted(500))],
    ['held', () => attempted(410)],
  ])('is not set for one that is %s', async (state, wait) => {
    const { shop } = await waiting()
    await wait(shop)
    expect(await firstOf(shop)).toMatchObject({ state, endedAt: null })
  })
})

describe('Superseded by a resend that is delivered', () => {
  test('is a held delivery as well, but no delivery to another endpoint and no other resend', async () => {
    const shop = await openShop()
    const otherId = await addEndpoint(world, shop)
    await raisePings(world, shop)
    const made = await deliveriesOf(world, shop)
    const ours = made.find(({ endpointId }) => endpointId === shop.endpointId)!
    const others = made.find(({ endpointId }) => endpointId === otherId)!
    const [one, two] = await copyDelivery(world, ours.id, 'resend', 2)
    await claim(world, { first: 0 })
    await putDeliveries(world, [ours.id], { state: 'held', queue: null, dueAt: null })
    await putDeliveries(world, [one!], { queue: 'retry' })
    const [resend] = await claim(world, { retry: 1 })
    await recordAttempts(context, [attemptOf(world, resend!, null)])
    expect(await stateOf(shop, ours.id)).toBe('superseded')
    expect(await stateOf(shop, others.id)).toBe('pending')
    expect(await stateOf(shop, two!)).toBe('pending')
    await attempted(204)
  })

  systemTest('is not a delivery in flight, which ends by its outcome, or it fails', async () => {
    for (const [error, state, isTogether] of [
      [null, 'delivered', false],
      ['timeout', 'superseded', false],
      ['timeout', 'superseded', true],
    ] as const) {
      const { shop, delivery } = await failedOnce()
      world.clock.advance(MINUTE_MS)
      const [resendId] = await resendsOf(delivery)
      await putDeliveries(world, [delivery.id], { queue: 'retry' })
      const claimed = await claim(world, { retry: 2 })
      const automatic = claimed.find(({ id }) => id === delivery.id)!
      const resend = claimed.find(({ id }) => id === resendId)!
      const ended = [attemptOf(world, automatic, error), attemptOf(world, resend, null)]
      if (isTogether) await recordAttempts(context, ended)
      else for (const one of ended.toReversed()) await recordAttempts(context, [one])
      expect(await stateOf(shop, delivery.id)).toBe(state)
    }
  })

  test.each([
    ['first attempt', null, 'superseded'],
    ['retry', null, 'superseded'],
    ['retry', 'timeout', 'pending'],
  ] as const)('is a %s whose process dies, its resend %s: %s', async (which, error, state) => {
    const { shop, delivery } = await waiting()
    const [resendId] = await resendsOf(delivery)
    const attempts = which === 'retry' ? 1 : 0
    const inQueue = { queue: 'retry', claimId: null, leaseExpiresAt: null, attempts }
    await putDeliveries(world, [delivery.id, resendId!], inQueue)
    const claimed = await claim(world, { retry: 2 })
    expect(claimed).toHaveLength(2)
    const resend = claimed.find(({ id }) => id === resendId)!
    await recordAttempts(context, [attemptOf(world, resend, error)])
    await releaseLeases()
    expect(await stateOf(shop, delivery.id)).toBe(state)
    const before = world.receiver.received.length
    await attempted(204)
    expect(world.receiver.received.length - before).toBe(state === 'pending' ? 1 : 0)
    // This is the resend's own next attempt.
    await processFor(MINUTE_MS)
  })

  test.each([
    ['comes due', true],
    ['is to be held, as its endpoint went off', false],
  ])('is a retry that both workers missed, when it %s', async (_, isOn) => {
    const { shop, delivery } = await failedOnce()
    const resendIds = await copyDelivery(world, delivery.id, 'resend')
    const over = { state: 'delivered', dueAt: null, endedAt: world.clock.now() }
    await putDeliveries(world, resendIds, over)
    if (!isOn) await switchOff(world, shop)
    const before = world.receiver.received.length
    await processFor(MINUTE_MS)
    expect(await stateOf(shop, delivery.id)).toBe('superseded')
    expect(world.receiver.received.length).toBe(before)
  })

  const HOW = ['fails after it', 'fails with it', 'is in flight as its process dies']
  test.each(HOW)('is no resend that a member requested: it %s, and continues', async (how) => {
    const { shop, delivery } = await failedOnce()
    await resendsOf(delivery, 2)
    const [one, two] = await claim(world, { retry: 2 })
    const [delivered, failed] = [attemptOf(world, one!, null), attemptOf(world, two!, 'timeout')]
    await recordAttempts(context, how === 'fails with it' ? [delivered, failed] : [delivered])
    if (how === 'fails after it') await recordAttempts(context, [failed])
    await releaseLeases()
    expect(await stateOf(shop, two!.id)).toBe('pending')
    expect(await stateOf(shop, delivery.id)).toBe('superseded')
    world.receiver.answerWith(204)
    await processFor(MINUTE_MS)
    expect(await stateOf(shop, two!.id)).toBe('delivered')
  })
})

test('a resend to an endpoint that goes off before its next attempt is held', async () => {
  const { shop, delivery } = await failedOnce()
  const [resendId] = await copyDelivery(world, delivery.id, 'resend')
  await world.service.processAll()
  await switchOff(world, shop)
  await processUnwoken(world)
  expect(await stateOf(shop, resendId!)).toBe('held')
})

describe('Written twice, because the answer to the commit was lost,', () => {
  async function unheard<T>(write: () => Promise<T>): Promise<T> {
    await write()
    return write()
  }

  async function underWay(shop: Shop) {
    await raisePings(world, shop)
    const [claimed] = await claim(world, { first: 1 })
    return claimed!
  }

  test('a success and a failure of one batch count once, and neither is late', async () => {
    const [well, failing] = [await openShop(), await openShop()]
    const attempts = [
      attemptOf(world, await underWay(well), null),
      attemptOf(world, await underWay(failing), 'timeout'),
    ]
    const settled = await recordAttempts({ ...context, written: unheard }, attempts)
    expect(settled).toEqual({ lateIds: [], switchedOff: [] })
    const once = { attempts: 1, claimId: null }
    const [delivered, again] = [await firstOf(well), await firstOf(failing)]
    expect(delivered).toMatchObject({ ...once, state: 'delivered' })
    expect(again).toMatchObject({ ...once, state: 'pending', lastError: 'timeout' })
    expect(await endpointOf(world, failing)).toMatchObject({ failuresInRow: 1 })
    for (const { id } of [delivered, again]) {
      expect(await attemptsOf(world, id)).toMatchObject([{ isLate: false }])
    }
  })

  systemTest.each([
    ['55P03', 204, 'delivered'],
    ['57014', 204, 'delivered'],
    ['55P03', 500, 'pending'],
  ])('an outcome that is refused by %s (%i) is written later', async (code, answer, state) => {
    // Deliveries of other shops are done first: the refused one belongs to this shop.
    await processFor(MINUTE_MS)
    const accept = await refuseWrites(world, 'the sums of an hour', { code, once: true })
    const shop = await openShop()
    const before = world.receiver.received.length
    await raisePings(world, shop)
    await attempted(answer)
    await accept()
    const delivery = await firstOf(shop)
    expect(delivery).toMatchObject({ state, attempts: 1, claimId: null })
    expect(await attemptsOf(world, delivery.id)).toMatchObject([{ isLate: false }])
    expect(world.receiver.received.length - before).toBe(1)
  })
})
