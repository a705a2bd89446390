import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { transaction } from '../../src/infra/database/transaction.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { deliveryOutcome } from '../../src/rules/deliveries/delivery-outcome.ts'
import {
  evaluateEndpoint,
  slotsAfter,
  type EndpointHealth,
} from '../../src/rules/deliveries/endpoint-health.ts'
import { recordAttempts } from '../../src/modules/deliveries/record-attempts.sql.ts'
import type { RecordedAttempt } from '../../src/modules/deliveries/recorded-attempt.ts'
import { switchOffAndNotify } from '../../src/modules/deliveries/write-outcomes.sql.ts'
import { noticesOf } from '../support/records/notices.ts'
import {
  endpointOf,
  hoursOf,
  markDeleted,
  putHealth,
  switchOff,
  switchOn,
} from '../support/records/endpoints.ts'
import { deliveriesOf, deliveryStatesOf, putDeliveries } from '../support/records/deliveries.ts'
import { addEndpoint, attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { systemDescribe } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld()
const openShop = () => createOwnShop(world)

/** Sets an endpoint's number of failures in a row, and the time of the first one. */
const failing = (its: Pick<Shop, 'endpointId'>, failuresInRow: number, agoMs = 0) =>
  putHealth(world, its, {
    failuresInRow,
    failingSince: new Date(world.clock.now().getTime() - agoMs),
    slots: 1,
  })
const noticeKindsOf = async ({ endpointId }: Pick<Shop, 'endpointId'>) =>
  (await noticesOf(world, { subjectId: endpointId })).map(({ kind }) => kind)
async function raiseAndAttempt(shop: Shop, status: number) {
  world.receiver.answerWith(status)
  await raisePings(world, shop)
  await world.service.processAll()
}
const settle = (attempts: RecordedAttempt[]) => recordAttempts(world.service.context, attempts)
/** Returns deliveries of an endpoint in flight, each with a separate claim. */
async function underWay(shop: Shop, count: number, endpointId = shop.endpointId) {
  await raisePings(world, shop)
  const delivery = (await deliveriesOf(world, shop)).find(
    (row) => row.endpointId === endpointId && row.state === 'pending' && row.attempts === 0,
  )!
  const copies = await copyDelivery(world, delivery.id, 'event', count - 1)
  const leaseExpiresAt = new Date(world.clock.now().getTime() + DAY_MS)
  const claimed = []
  for (const id of [delivery.id, ...copies]) {
    const claimId = world.service.context.ids.uuid()
    await putDeliveries(world, [id], { claimId, leaseExpiresAt })
    claimed.push({ id, companyId: shop.companyId, endpointId, claimId, kind: 'event' as const })
  }
  return claimed
}

describe('410', () => {
  test('switches the endpoint off immediately, the owner gets a notice, and the delivery is held', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 410)
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: false, offReason: 'gone' })
    expect(await deliveriesOf(world, shop)).toMatchObject([
      { state: 'held', lastStatus: 410, lastError: 'gone', attempts: 1 },
    ])
    const [notice, ...more] = await noticesOf(world, { subjectId: shop.endpointId })
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      kind: 'endpoint_switched_off',
      accountId: shop.accountId,
      companyId: shop.companyId,
      details: {
        endpointId: shop.endpointId,
        endpointName: 'Test receiver',
        reason: 'gone',
        lastStatus: 410,
        lastError: 'gone',
        failuresInRow: 1,
        failingSince: world.clock.now().toISOString(),
      },
    })
  })

  test('does so on a retry too, while a test that is answered 410 changes nothing', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 500)
    const [delivery] = await deliveriesOf(world, shop)
    const its = async (id: string) => (await deliveriesOf(world, shop)).find((one) => one.id === id)
    world.receiver.answerWith(410)
    const [testId] = await copyDelivery(world, delivery!.id, 'test')
    await processUnwoken(world)
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: true, failuresInRow: 1 })
    expect(await its(testId!)).toMatchObject({ state: 'dead_lettered', attempts: 1 })
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: false, offReason: 'gone' })
    expect(await its(delivery!.id)).toMatchObject({ state: 'held', attempts: 2 })
    expect(await noticesOf(world, { subjectId: shop.endpointId })).toHaveLength(1)
  })

  test('switches off once, with one notice, while 8 are in flight, which end normally and are held', async () => {
    const shop = await openShop()
    const deliveries = await underWay(shop, 8)
    await Promise.all(
      deliveries.map((delivery, nth) =>
        settle([attemptOf(world, delivery, nth < 2 ? 'gone' : nth < 7 ? 'timeout' : null)]),
      ),
    )
    await world.service.processAll()
    expect(await noticesOf(world, { subjectId: shop.endpointId })).toHaveLength(1)
    expect((await deliveryStatesOf(world, shop)).toSorted()).toEqual([
      'delivered',
      ...Array.from({ length: 7 }, () => 'held'),
    ])
  })
})

describe('100 failures in a row', () => {
  test('switch the endpoint off at the hundredth, at the same moment', async () => {
    const shop = await openShop()
    await failing(shop, 98, HOUR_MS)
    await raiseAndAttempt(shop, 500)
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: true, failuresInRow: 99 })
    await raiseAndAttempt(shop, 500)
    expect(await endpointOf(world, shop)).toMatchObject({
      isOn: false,
      offReason: 'failures_in_row',
      offAt: world.clock.now(),
      failuresInRow: 100,
    })
    expect(await noticesOf(world, { subjectId: shop.endpointId })).toMatchObject([
      { kind: 'endpoint_failing', details: { reason: null } },
      { kind: 'endpoint_switched_off', details: { reason: 'failures_in_row' } },
    ])
  })

  test('by 20 concurrent workers switch off once, with one notice, and every failure is counted', async () => {
    const shop = await openShop()
    await failing(shop, 95, HOUR_MS)
    const deliveries = await underWay(shop, 20)
    await Promise.all(deliveries.map((delivery) => settle([attemptOf(world, delivery, 'timeout')])))
    expect(await endpointOf(world, shop)).toMatchObject({ isOn: false, failuresInRow: 115 })
    const notices = await noticesOf(world, { subjectId: shop.endpointId })
    const told = ['endpoint_failing', 'endpoint_switched_off']
    expect(notices.map(({ kind }) => kind).toSorted()).toEqual(told)
    expect(notices).toMatchObject(told.map(() => ({ mailDueAt: world.clock.now() })))
  })

  test('count an attempt once that is recorded twice', async () => {
    const shop = await openShop()
    const [delivery] = await underWay(shop, 1)
    const attempt = attemptOf(world, delivery!, 'timeout')
    await settle([attempt])
    const again = { ...attempt, attemptId: world.service.context.ids.uuid() }
    expect(await settle([again])).toMatchObject({ lateIds: [again.attemptId] })
    expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 1 })
  })
})

test('an endpoint that a member switches on again is switched off again, with another notice', async () => {
  const shop = await openShop()
  await raiseAndAttempt(shop, 410)
  await switchOn(world, shop)
  await raiseAndAttempt(shop, 410)
  expect(await endpointOf(world, shop)).toMatchObject({ isOn: false })
  expect(await noticesOf(world, { subjectId: shop.endpointId })).toHaveLength(2)
})

test('an endpoint that a member switched off a moment before keeps that reason, without a notice', async () => {
  const shop = await openShop()
  await switchOff(world, shop)
  const { ids } = world.service.context
  const at = world.clock.now()
  const off = await transaction(world.database.db, (tx) =>
    switchOffAndNotify(tx, ids, [
      {
        kind: 'endpoint_switched_off',
        // The endpoint is as it was when it was read.
        endpoint: { ...shop, id: shop.endpointId, name: 'Shop', isOn: true, isDeleted: false },
        reason: 'gone',
        at,
        health: { failuresInRow: 1, failingSince: at, warnedAt: null },
        lastStatus: 410,
        lastError: 'gone',
      },
    ]),
  )
  expect(off).toEqual([])
  expect(await endpointOf(world, shop)).toMatchObject({ offReason: 'by_member' })
  expect(await noticesOf(world, { subjectId: shop.endpointId })).toEqual([])
})

test('two endpoints of one company are judged separately', async () => {
  const shop = await openShop()
  const otherId = await addEndpoint(world, shop)
  world.receiver.answerWith(500)
  await raisePings(world, shop, 2)
  const claimed = await claim(world, { first: 10 })
  await settle(
    claimed.map((delivery) =>
      attemptOf(world, delivery, delivery.endpointId === otherId ? null : 'timeout'),
    ),
  )
  expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 2 })
  expect(await endpointOf(world, { endpointId: otherId })).toMatchObject({ failuresInRow: 0 })
})

test('the sums by hour have every attempt that counts, and no test', async () => {
  const shop = await openShop()
  const [one, two, three] = await underWay(shop, 3)
  const nextHour = new Date(world.clock.now().getTime() + HOUR_MS)
  await settle([
    attemptOf(world, one!, 'timeout'),
    attemptOf(world, two!, null),
    attemptOf(world, { ...three!, kind: 'test' }, 'timeout'),
  ])
  const [later] = await underWay(shop, 1)
  await settle([attemptOf(world, later!, null, nextHour)])
  expect(await hoursOf(world, shop)).toEqual([
    { attempts: 2, failures: 1, durationMs: 20 },
    { attempts: 1, failures: 0, durationMs: 10 },
  ])
})

systemDescribe('Attempts that end in any batches', () => {
  const step = (successes: number) =>
    fc.record({
      error: fc.oneof(
        { weight: 12, arbitrary: fc.constant('http_error' as const) },
        { weight: successes, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom('gone', 'unreadable', 'timeout') },
      ),
      isTest: fc.boolean(),
      minutes: fc.constantFrom(0, 1, 60, 600, 1_500),
      endsBatch: fc.boolean(),
    })
  const stepsOf = (successes: number) => fc.array(step(successes), { minLength: 1, maxLength: 30 })
  const history = fc.record({
    failures: fc.constantFrom(0, 8, 45, 49, 90, 99),
    // Mostly failures, or mostly successes, which are written by another statement.
    steps: fc.oneof(stepsOf(2), stepsOf(60)),
    shuffle: fc.infiniteStream(fc.nat({ max: 1_000 })),
  })

  test('health, switch-off and notices match the rule applied attempt by attempt', async () => {
    const shop = await openShop()
    await fc.assert(
      fc.asyncProperty(history, async ({ failures, steps, shuffle }) => {
        const endpointId = await addEndpoint(world, shop)
        const at = { endpointId }
        await failing(at, failures)
        const startedAt = world.clock.now()
        let expected: EndpointHealth = {
          failuresInRow: failures,
          failingSince: startedAt,
          warnedAt: null,
        }
        let slots = 1
        let offReason: string | null = null
        const told: string[] = []
        const deliveries = await underWay(shop, steps.length, endpointId)
        let batch: RecordedAttempt[] = []
        for (const [nth, { error, isTest, minutes, endsBatch }] of steps.entries()) {
          world.clock.advance(minutes * MINUTE_MS + 1)
          batch.push({ ...attemptOf(world, deliveries[nth]!, error), isTest })
          if (!isTest && error !== 'unreadable') {
            const outcome = deliveryOutcome(
              error === null
                ? { kind: 'answer', status: 200 }
                : error === 'gone'
                  ? { kind: 'answer', status: 410 }
                  : { kind: 'error', error },
            )
            const one = { outcome, isTest: false, at: world.clock.now() }
            const verdict = evaluateEndpoint(expected, one)
            expected = verdict.after
            slots = slotsAfter(slots, one, expected.failuresInRow)
            if (offReason === null && verdict.switchOff !== null) {
              offReason = verdict.switchOff
              told.push('endpoint_switched_off')
            } else if (offReason === null && verdict.isWarningDue) told.push('endpoint_failing')
          }
          if (!endsBatch && nth < steps.length - 1) continue
          // Attempts of a batch arrive in any order: the time of their end counts.
          const order = new Map(batch.map((attempt) => [attempt, shuffle.next().value as number]))
          await settle(batch.toSorted((a, b) => order.get(a)! - order.get(b)!))
          batch = []
        }
        const isOn = offReason === null
        expect(await endpointOf(world, at)).toMatchObject({ ...expected, slots, isOn, offReason })
        expect(await noticeKindsOf(at)).toEqual(told)
        // The next history is only another endpoint's.
        await markDeleted(world, at)
      }),
      { numRuns: 25 },
    )
  })
})
