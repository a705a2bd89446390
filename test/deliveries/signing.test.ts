/** Whose secret signs what, at what time, over which bytes: as receivers see it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { createClock } from '../../src/clock.ts'
import { transaction } from '../../src/database/transaction.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { EVENT_TYPES } from '../../src/vocabulary/events.ts'
import { createEndpoint } from '../../src/endpoints/create-endpoint.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { raisePings } from '../support/deliveries.ts'
import type { ReceivedDelivery } from '../support/receiver.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const verifies = ({ headers, body }: ReceivedDelivery, secret: string, now = world.clock.now()) =>
  verifySignature({ header: headers['x-service-signature'], body, secrets: [secret], now })

test('each endpoint has a secret of its own: one verifies what it receives and nothing else', async () => {
  const shop = await createShop(world, { phoneNumberId: 'own-secret' })
  const { db, ids, clock } = world.service.context
  const other = await transaction(db, (tx) =>
    createEndpoint(
      tx,
      { ids, keyRing: world.service.keyRing, now: clock.now() },
      {
        companyId: shop.companyId,
        name: 'Other',
        url: new URL('/other', world.receiver.url).href,
        eventTypes: EVENT_TYPES,
      },
    ),
  )
  await raisePings(world, shop)
  await world.service.processAll()
  const [one, two] = ['/events', '/other'].map((path) =>
    world.receiver.received.find((delivery) => delivery.path === path)!,
  )
  expect([verifies(one!, shop.secret), verifies(one!, other.secret)]).toEqual([true, false])
  expect([verifies(two!, shop.secret), verifies(two!, other.secret)]).toEqual([false, true])
  // One event, one body, two deliveries.
  expect(one!.body).toEqual(two!.body)
  expect(one!.headers['x-service-delivery']).not.toBe(two!.headers['x-service-delivery'])
})

test('each attempt is signed at its own time: the eighth verifies when it comes, and the first no more', async () => {
  const shop = await createShop(world, { phoneNumberId: 'eighth' })
  world.receiver.answerWith(500)
  await raisePings(world, shop)
  await world.service.processAll()
  for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) {
    world.clock.advance(delayMs)
    await world.service.processAll()
  }
  world.receiver.answerWith(204)
  const [delivery] = await deliveriesOf(world, shop)
  const sent = world.receiver.received.filter(
    ({ headers }) => headers['x-service-delivery'] === delivery!.id,
  )
  expect(sent).toHaveLength(8)
  expect(verifies(sent[7]!, shop.secret)).toBe(true)
  expect(verifies(sent[0]!, shop.secret)).toBe(false)
  expect(sent[7]!.body).toEqual(sent[0]!.body)
})

describe('a node whose own clock is wrong', () => {
  test.each([
    ['10 minutes behind', -10 * MINUTE_MS],
    ['10 minutes ahead', 10 * MINUTE_MS],
  ])('by %s signs with the time of the database, and retries on time', async (_, wrongByMs) => {
    const clock = createClock()
    clock.set(new Date(clock.now().getTime() + wrongByMs))
    clock.now()
    const wrong = await createWorld({ clock })
    try {
      const shop = await createShop(wrong)
      wrong.receiver.answerWith(500)
      await raisePings(wrong, shop)
      await wrong.service.processAll()
      const { rows } = await wrong.database.db.pool.query<{ now: Date }>('select now()')
      expect(verifies(wrong.receiver.received[0]!, shop.secret, rows[0]!.now)).toBe(true)
      const [delivery] = await deliveriesOf(wrong, shop)
      const dueInMs = delivery!.dueAt!.getTime() - rows[0]!.now.getTime()
      expect(Math.abs(dueInMs - MINUTE_MS)).toBeLessThan(30_000)
    } finally {
      await wrong.close()
    }
  })
})
