import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesOf, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'

let world: World
beforeAll(async () => {
  // The receiver's address is let through by the one list and shut out by the other.
  world = await createWorld({ egressDeny: '127.0.0.1/32' })
})
afterAll(() => world.close())

test('a range that the operator denies is not reached, whatever else lets it through', async () => {
  const shop = await createShop(world)
  await raisePings(world, shop)
  await world.service.processAll()
  expect(world.receiver.received).toEqual([])
  const [delivery] = await deliveriesOf(world, shop)
  expect(delivery).toMatchObject({ state: 'pending', attempts: 1, lastError: 'address_refused' })
})
