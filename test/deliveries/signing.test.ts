/** Signatures as receivers see them: the secret, the time and the bytes that are signed. */
import { expect, onTestFinished, test } from 'vitest'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { createClock } from '../../src/core/clock.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { openEndpoint, raisePings, sentAs } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import type { ReceivedDelivery } from '../support/receiver.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { endpointOf } from '../support/records/endpoints.ts'
import { createWorld } from '../support/test-service.ts'
import { createOwnShop } from '../support/shop.ts'

const world = await openWorld()

const verifies = ({ headers, body }: ReceivedDelivery, secret: string, now = world.clock.now()) =>
  verifySignature({ header: headers['x-service-signature'], body, secrets: [secret], now })

test('each endpoint has a separate secret, which verifies what it receives and nothing else', async () => {
  const shop = await createOwnShop(world)
  const other = await openEndpoint(world, shop, new URL('/other', world.receiver.url).href)
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

test('each of the eight attempts sends the same bytes, signed at its own time', async () => {
  const shop = await createOwnShop(world)
  world.receiver.answerWith(500)
  await raisePings(world, shop)
  await world.service.processAll()
  for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) {
    world.clock.advance(delayMs)
    await world.service.processAll()
  }
  world.receiver.answerWith(204)
  const [delivery] = await deliveriesOf(world, shop)
  expect(delivery).toMatchObject({ state: 'dead_lettered', attempts: 8, dueAt: null })
  expect(await attemptsOf(world, delivery!.id)).toMatchObject(
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({ number, error: 'http_error' })),
  )
  const sent = sentAs(world, delivery!.id)
  expect(sent).toHaveLength(8)
  expect(verifies(sent[7]!, shop.secret)).toBe(true)
  expect(verifies(sent[0]!, shop.secret)).toBe(false)
  expect(new Set(sent.map(({ body }) => body.toString('hex'))).size).toBe(1)
  expect(new Set(sent.map(({ headers }) => headers['x-service-signature'])).size).toBe(8)
  expect(await endpointOf(world, shop)).toMatchObject({ failuresInRow: 8 })
})

test.each([
  ['behind', -10 * MINUTE_MS],
  ['ahead', 10 * MINUTE_MS],
])('a node 10 minutes %s signs with the time of the database', async (_, wrongByMs) => {
  const clock = createClock()
  clock.set(new Date(clock.now().getTime() + wrongByMs))
  clock.now()
  const wrong = await createWorld({ clock })
  onTestFinished(() => wrong.close())
  const shop = await createOwnShop(wrong)
  wrong.receiver.answerWith(500)
  await raisePings(wrong, shop)
  await wrong.service.processAll()
  const { rows } = await wrong.database.db.pool.query<{ now: Date }>('select now()')
  expect(verifies(wrong.receiver.received[0]!, shop.secret, rows[0]!.now)).toBe(true)
  const [delivery] = await deliveriesOf(wrong, shop)
  const dueInMs = delivery!.dueAt!.getTime() - rows[0]!.now.getTime()
  // The due time is nearer to the database's time than to the node's, by more minutes than a test lasts.
  expect(Math.abs(dueInMs - MINUTE_MS)).toBeLessThan(Math.abs(wrongByMs) / 2)
})
