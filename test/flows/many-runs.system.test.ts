/** Runs beyond what the house has places and connections for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/address-limit.ts'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { createWorld, type World } from '../support/service.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  // All shops ask from one address.
  world = await createWorld({ databasePool: '8', addressLimit: createAddressLimit(1_000) })
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test('more due runs than database connections all get done, each sending once', async () => {
  const RUNS = RUN_LIMITS.atOnce + 8
  // All of them read a version that nobody has read before, inside their transactions.
  // One shop asks for no more than its rate limit allows.
  const shops = await Promise.all(Array.from({ length: 4 }, () => whatsApp.openShop()))
  const phones = Array.from({ length: RUNS }, newPhone)
  const runs = await Promise.all(phones.map((phone, place) => shops[place % 4]!.order(phone)))
  await whatsApp.settle()
  const to = whatsApp.simulator.messages().map((message) => `+${message.to}`)
  expect(to.toSorted()).toEqual(phones.toSorted())
  for (const phone of phones) whatsApp.simulator.tapButton({ from: phone })
  await whatsApp.settle()
  const ended = shops
    .flatMap((shop) => shop.events('flow.completed'))
    .map(({ data }) => (data.run as { id: string }).id)
  expect(ended.toSorted()).toEqual(runs.toSorted())
})
