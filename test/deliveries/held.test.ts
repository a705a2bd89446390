import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { DELIVERY_ENGINE } from '../../src/limits/deliveries.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { cancelDeliveriesOf } from '../../src/endpoints/cancel-deliveries.sql.ts'
import { readyDeliveries } from '../../src/deliveries/ready-deliveries.sql.ts'
import { releaseHeldDeliveries } from '../../src/deliveries/release-held.sql.ts'
import { settleAttempts } from '../../src/deliveries/settle-attempts.sql.ts'
import { switchOff, switchOn } from '../support/records/endpoints.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { setPlan } from '../support/records/accounts.ts'
import { attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let phones = 0
const openShop = () => createShop(world, { phoneNumberId: `${(phones += 1)}` })
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const countStates = async (shop: Shop) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from webhook_delivery
    where company_id = ${shop.companyId} group by state order by state
  `.execute(world.database.db.kysely)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
async function raiseAndAttempt(shop: Shop, status: number) {
  world.receiver.answerWith(status)
  await raisePings(world, shop)
  await world.service.processAll()
}
const attemptsSince = (before: number) => world.receiver.received.length - before

describe('an endpoint that is off', () => {
  test('has everything held that waits for it, due now or later, and nothing is attempted', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 500)
    await raisePings(world, shop, 2)
    await switchOff(world, shop)
    const before = world.receiver.received.length
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 3 })
    await raisePings(world, shop)
    world.clock.advance(DAY_MS)
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 4 })
    expect(attemptsSince(before)).toBe(0)
  })

  systemTest('however many they are, in statements of at most 500', async () => {
    const shop = await openShop()
    await raisePings(world, shop)
    const [delivery] = await deliveriesOf(world, shop)
    await copyDelivery(world, delivery!.id, 'event', 2_499)
    await switchOff(world, shop)
    const taken: number[] = []
    const ready = () =>
      readyDeliveries(world.database.db.kysely, { now: world.clock.now(), notLive: [] })
    for (let rows = await ready(); rows > 0; rows = await ready()) taken.push(rows)
    expect(taken).toEqual(Array.from({ length: 5 }, () => DELIVERY_ENGINE.readyBatch))
    expect(await countStates(shop)).toEqual({ held: 2_500 })
  })

  test('holds what fails in flight; what is delivered in flight is delivered', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 2)
    const [one, two] = await claim(world, { first: 2 })
    await switchOff(world, shop)
    await settleAttempts(world.service.context, [
      attemptOf(world, one!, 'timeout'),
      attemptOf(world, two!, null),
    ])
    expect(await countStates(shop)).toEqual({ delivered: 1, held: 1 })
  })

  test('long since: a claim that finds what still waits for it has it held', async () => {
    const shop = await openShop()
    await switchOff(world, shop)
    world.clock.advance(2 * DELIVERY_ENGINE.lateChangesMs)
    await switchOn(world, shop)
    await raisePings(world, shop)
    await world.database.db.kysely
      .updateTable('endpoint')
      .set({ isOn: false, offAt: new Date(world.clock.now().getTime() - DAY_MS) })
      .where('id', '=', shop.endpointId)
      .execute()
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 1 })
  })

  systemTest(
    'switched on, sends nothing by itself; what was held goes when it is released',
    async () => {
      const shop = await openShop()
      await raiseAndAttempt(shop, 500)
      world.clock.advance(SECOND_MS)
      await switchOff(world, shop)
      await raisePings(world, shop, 3)
      await world.service.processAll()
      await switchOn(world, shop)
      world.receiver.answerWith(204)
      world.clock.advance(DAY_MS)
      const before = world.receiver.received.length
      await world.service.processAll()
      expect(attemptsSince(before)).toBe(0)

      const { ids } = world.service.context
      const job = { ...shop, jobId: ids.uuid(), beforeId: ids.uuid() }
      const release = (most: number) =>
        transaction(world.database.db, (tx) =>
          releaseHeldDeliveries(tx, { ...job, now: world.clock.now(), most }),
        )
      expect(await release(3)).toBe(3)
      // The oldest go first.
      expect((await deliveriesOf(world, shop)).map(({ state }) => state)[0]).toBe('pending')
      await processUnwoken(world)
      expect(await countStates(shop)).toEqual({ delivered: 3, held: 1 })
      expect(await release(3)).toBe(1)
      await processUnwoken(world)
      expect(await countStates(shop)).toEqual({ delivered: 4 })
      expect((await deliveriesOf(world, shop))[0]).toMatchObject({ attempts: 2 })
    },
  )

  systemTest('what it held expires after 7 days', async () => {
    const shop = await openShop()
    await switchOff(world, shop)
    await raisePings(world, shop)
    world.clock.advance(7 * DAY_MS - HOUR_MS)
    await world.service.sweep()
    expect(await countStates(shop)).toEqual({ held: 1 })
    world.clock.advance(2 * HOUR_MS)
    await world.service.sweep()
    expect(await countStates(shop)).toEqual({ expired: 1 })
  })
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
  test('has nothing delivered any more: what comes due is held', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 500)
    world.clock.advance(30 * SECOND_MS)
    await setPlan(world, shop, 'pro')
    world.receiver.answerWith(204)
    const before = world.receiver.received.length
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ pending: 1 })
    world.clock.advance(30 * SECOND_MS)
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 1 })
    expect(attemptsSince(before)).toBe(0)
  })

  test('has what was due already held as well', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 3)
    await setPlan(world, shop, 'pro')
    const before = world.receiver.received.length
    await world.service.processAll()
    expect(await countStates(shop)).toEqual({ held: 3 })
    expect(attemptsSince(before)).toBe(0)
  })

  test('and returns before the next attempt is attempted on schedule', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 500)
    await setPlan(world, shop, 'pro')
    world.clock.advance(30 * SECOND_MS)
    await world.service.processAll()
    await setPlan(world, shop, 'business')
    world.receiver.answerWith(204)
    world.clock.advance(30 * SECOND_MS)
    await world.service.processAll()
    expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })
})

describe('an endpoint that is deleted', () => {
  const remove = async (shop: Shop, isCancelling = true) => {
    const now = world.clock.now()
    await transaction(world.database.db, async (tx) => {
      await tx
        .updateTable('endpoint')
        .set({ deletedAt: now, isOn: false, offAt: now, offReason: 'by_member' })
        .where('id', '=', shop.endpointId)
        .execute()
      if (isCancelling) await cancelDeliveriesOf(tx, { ...shop, now })
    })
  }

  test('has what waits cancelled with it, retries and held ones too, and keeps it in the log', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 500)
    await raisePings(world, shop, 2)
    await remove(shop)
    expect(await countStates(shop)).toEqual({ cancelled: 3 })
    const before = world.receiver.received.length
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    expect(attemptsSince(before)).toBe(0)
  })

  test('has what fails in flight cancelled, and what is delivered delivered', async () => {
    const shop = await openShop()
    await raisePings(world, shop, 2)
    const [one, two] = await claim(world, { first: 2 })
    await remove(shop)
    await settleAttempts(world.service.context, [
      attemptOf(world, one!, 'timeout'),
      attemptOf(world, two!, null),
    ])
    expect(await countStates(shop)).toEqual({ cancelled: 1, delivered: 1 })
  })

  test('with more than one transaction should cancel has the rest cancelled after it', async () => {
    const shop = await openShop()
    await raiseAndAttempt(shop, 500)
    const [delivery] = await deliveriesOf(world, shop)
    await copyDelivery(world, delivery!.id, 'event', 700)
    await sql`update webhook_delivery set state = 'held', due_at = null
      where company_id = ${shop.companyId} and attempts = 0`.execute(world.database.db.kysely)
    await remove(shop, false)
    await processUnwoken(world)
    expect(await countStates(shop)).toEqual({ cancelled: 701 })
  })
})
