/** What waits for an endpoint while it is down or changed, and what the others notice of it. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { copyDelivery, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const WAITING = 400
vi.setConfig({ testTimeout: 90_000 })

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const setEndpoint = ({ endpointId }: Shop, change: { url?: string; eventTypes?: string[] }) =>
  world.database.db.kysely
    .updateTable('endpoint')
    .set(change)
    .where('id', '=', endpointId)
    .execute()

systemTest(
  'a receiver that was down for hours and comes back slow is not stampeded, and nobody waits for it',
  async () => {
    let underWay = 0
    const order: string[] = []
    const atOnce: number[] = []
    // The slow one answers nothing before the other has had its delivery.
    const { promise: otherCame, resolve: tellOther } = Promise.withResolvers<void>()
    const { cert, key } = world.receiver.authority
    const slow = createServer({ cert, key }, (request, response) => {
      underWay += 1
      atOnce.push(underWay)
      order.push('slow')
      request.resume()
      void otherCame.then(() =>
        setImmediate(() => {
          underWay -= 1
          response.writeHead(200).end()
        }),
      )
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(slow.address() as AddressInfo).port}/`
    const shop = await createShop({ ...world, receiver: { ...world.receiver, url } })
    const other = await createShop(world, { phoneNumberId: 'other' })
    await raisePings(world, shop)
    const [delivery] = await deliveriesOf(world, shop)
    await copyDelivery(world, delivery!.id, 'event', WAITING - 1)
    await world.database.db.kysely
      .updateTable('endpointHealth')
      .set({ failuresInRow: 40, failingSince: world.clock.now(), slots: 1 })
      .where('endpointId', '=', shop.endpointId)
      .execute()
    world.clock.advance(6 * HOUR_MS)
    await raisePings(world, other)
    world.receiver.answerWith(() => {
      order.push('other')
      tellOther()
      return 204
    })
    await world.service.processAll()
    slow.closeAllConnections()
    await new Promise<void>((resolve) => slow.close(() => resolve()))

    const states = (await deliveriesOf(world, shop)).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: WAITING }, () => 'delivered'))
    // One at a time at first, more as it succeeds, never more than eight.
    expect(atOnce[1]).toBe(1)
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(8)
    // The other's delivery goes with the first of the four hundred.
    expect(order.indexOf('other')).toBeLessThan(10)
  },
)

test('a URL that is edited between two attempts holds for the next one', async () => {
  const shop = await createShop(world, { phoneNumberId: 'edited' })
  world.receiver.answerWith(({ path }) => (path === '/events' ? 500 : 204))
  await raisePings(world, shop)
  await world.service.processAll()
  await setEndpoint(shop, { url: new URL('/moved', world.receiver.url).href })
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
  expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  expect(world.receiver.received.at(-1)!.path).toBe('/moved')
})

test('what waits of a type that is subscribed to no more is still sent', async () => {
  const shop = await createShop(world, { phoneNumberId: 'unsubscribed' })
  world.receiver.answerWith(500)
  await raisePings(world, shop)
  await world.service.processAll()
  await setEndpoint(shop, { eventTypes: ['contact.created'] })
  await raisePings(world, shop)
  world.receiver.answerWith(204)
  world.clock.advance(MINUTE_MS)
  await world.service.processAll()
  expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'delivered', attempts: 2 }])
})
