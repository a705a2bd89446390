import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseExpiredDeliveries } from '../../src/deliveries/claim-deliveries.sql.ts'
import { DELIVERY_ENGINE } from '../../src/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { settleAttempts } from '../../src/deliveries/settle-attempts.sql.ts'
import { switchOff } from '../support/records/endpoints.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { addEndpoint, attemptOf, claim, copyDelivery, raisePings } from '../support/deliveries.ts'
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

const stateOf = async (shop: Shop, id: string) =>
  (await deliveriesOf(world, shop)).find((delivery) => delivery.id === id)!.state

/** A shop whose one event has failed once and waits for its next attempt. */
async function failedOnce() {
  const shop = await openShop()
  world.receiver.answerWith(500)
  await raisePings(world, shop)
  await world.service.processAll()
  const [delivery] = await deliveriesOf(world, shop)
  return { shop, delivery: delivery! }
}

test('a resend that is delivered supersedes the retries of its event to that endpoint', async () => {
  const { shop, delivery } = await failedOnce()
  const [resendId] = await copyDelivery(world, delivery.id, 'resend')
  world.receiver.answerWith(204)
  await processUnwoken(world)
  expect(await stateOf(shop, resendId!)).toBe('delivered')
  expect(await stateOf(shop, delivery.id)).toBe('superseded')
  const before = world.receiver.received.length
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
  expect(world.receiver.received.length).toBe(before)
})

test('a resend that fails leaves the schedule of the others alone, and has its own', async () => {
  const { shop, delivery } = await failedOnce()
  const [resendId] = await copyDelivery(world, delivery.id, 'resend')
  await processUnwoken(world)
  expect(await deliveriesOf(world, shop)).toMatchObject([
    { state: 'pending', attempts: 1 },
    { state: 'pending', attempts: 1 },
  ])
  expect(await stateOf(shop, delivery.id)).toBe('pending')
  world.receiver.answerWith(204)
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
  expect(await stateOf(shop, delivery.id)).toBe('delivered')
  expect(await stateOf(shop, resendId!)).toBe('delivered')
})

test('what is held is superseded as well; other endpoints and other resends are not', async () => {
  const shop = await openShop()
  const otherId = await addEndpoint(world, shop)
  await raisePings(world, shop)
  const made = await deliveriesOf(world, shop)
  const ours = made.find(({ endpointId }) => endpointId === shop.endpointId)!
  const others = made.find(({ endpointId }) => endpointId === otherId)!
  const [one, two] = await copyDelivery(world, ours.id, 'resend', 2)
  await claim(world, { first: 0 })
  await world.database.db.kysely
    .updateTable('webhookDelivery')
    .set({ state: 'held', lane: null, dueAt: null })
    .where('id', '=', ours.id)
    .execute()
  await world.database.db.kysely
    .updateTable('webhookDelivery')
    .set({ lane: 'again' })
    .where('id', '=', one!)
    .execute()
  const [resend] = await claim(world, { again: 1 })
  await settleAttempts(world.service.context, [attemptOf(world, resend!, null)])
  expect(await stateOf(shop, ours.id)).toBe('superseded')
  expect(await stateOf(shop, others.id)).toBe('pending')
  expect(await stateOf(shop, two!)).toBe('pending')
  world.receiver.answerWith(204)
  await world.service.processAll()
})

systemTest(
  'an automatic delivery that is under way ends by its own outcome; if it fails it is superseded',
  async () => {
    for (const [error, state, isTogether] of [
      [null, 'delivered', false],
      ['timeout', 'superseded', false],
      ['timeout', 'superseded', true],
    ] as const) {
      const { shop, delivery } = await failedOnce()
      world.clock.advance(MINUTE_MS)
      const [resendId] = await copyDelivery(world, delivery.id, 'resend')
      await world.database.db.kysely
        .updateTable('webhookDelivery')
        .set({ lane: 'again' })
        .where('companyId', '=', shop.companyId)
        .execute()
      const claimed = await claim(world, { again: 2 })
      const automatic = claimed.find(({ id }) => id === delivery.id)!
      const resend = claimed.find(({ id }) => id === resendId)!
      const ended = [attemptOf(world, automatic, error), attemptOf(world, resend, null)]
      if (isTogether) await settleAttempts(world.service.context, ended)
      else for (const one of ended.toReversed()) await settleAttempts(world.service.context, [one])
      expect(await stateOf(shop, delivery.id)).toBe(state)
    }
  },
)

test.each([
  ['first attempt', null, 'superseded'],
  ['retry', null, 'superseded'],
  ['retry', 'timeout', 'pending'],
] as const)(
  'a %s that is under way as its process dies, while its resend ends with %s, is %s',
  async (which, error, state) => {
    const shop = await openShop()
    await raisePings(world, shop)
    const [delivery] = await deliveriesOf(world, shop)
    const [resendId] = await copyDelivery(world, delivery!.id, 'resend')
    await world.database.db.kysely
      .updateTable('webhookDelivery')
      .set({
        lane: 'again',
        claimId: null,
        claimedUntil: null,
        attempts: which === 'retry' ? 1 : 0,
      })
      .where('companyId', '=', shop.companyId)
      .execute()
    const claimed = await claim(world, { again: 2 })
    expect(claimed).toHaveLength(2)
    const resend = claimed.find(({ id }) => id === resendId)!
    await settleAttempts(world.service.context, [attemptOf(world, resend, error)])
    world.clock.advance(DELIVERY_ENGINE.leaseMs + 1)
    await releaseExpiredDeliveries(world.database.db.kysely, world.clock.now())
    expect(await stateOf(shop, delivery!.id)).toBe(state)
    const before = world.receiver.received.length
    world.receiver.answerWith(204)
    await world.service.processAll()
    expect(world.receiver.received.length - before).toBe(state === 'pending' ? 1 : 0)
    // The resend's own next attempt.
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
  },
)

test.each([
  ['comes due', true],
  ['is to be held, as its endpoint went off', false],
])('a retry that both workers missed is superseded when it %s', async (_, isOn) => {
  const { shop, delivery } = await failedOnce()
  const [resendId] = await copyDelivery(world, delivery.id, 'resend')
  await world.database.db.kysely
    .updateTable('webhookDelivery')
    .set({ state: 'delivered', dueAt: null, endedAt: world.clock.now() })
    .where('id', '=', resendId!)
    .execute()
  if (!isOn) await switchOff(world, shop)
  const before = world.receiver.received.length
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
  expect(await stateOf(shop, delivery.id)).toBe('superseded')
  expect(world.receiver.received.length).toBe(before)
})

test('a resend to an endpoint that goes off before its next attempt is held', async () => {
  const { shop, delivery } = await failedOnce()
  const [resendId] = await copyDelivery(world, delivery.id, 'resend')
  await world.service.processAll()
  await switchOff(world, shop)
  await processUnwoken(world)
  expect(await stateOf(shop, resendId!)).toBe('held')
})

test.each(['fails after it', 'fails with it', 'is under way as its process dies'])(
  'a resend that people asked for is not superseded by another that was delivered: it %s, and goes on',
  async (how) => {
    const { shop, delivery } = await failedOnce()
    const resendIds = await copyDelivery(world, delivery.id, 'resend', 2)
    await world.database.db.kysely
      .updateTable('webhookDelivery')
      .set({ lane: 'again' })
      .where('id', 'in', resendIds)
      .execute()
    const [one, two] = await claim(world, { again: 2 })
    const { context } = world.service
    const [delivered, failed] = [attemptOf(world, one!, null), attemptOf(world, two!, 'timeout')]
    await settleAttempts(context, how === 'fails with it' ? [delivered, failed] : [delivered])
    if (how === 'fails after it') await settleAttempts(context, [failed])
    world.clock.advance(DELIVERY_ENGINE.leaseMs + 1)
    await releaseExpiredDeliveries(world.database.db.kysely, world.clock.now())
    expect(await stateOf(shop, two!.id)).toBe('pending')
    expect(await stateOf(shop, delivery.id)).toBe('superseded')
    world.receiver.answerWith(204)
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    expect(await stateOf(shop, two!.id)).toBe('delivered')
  },
)
