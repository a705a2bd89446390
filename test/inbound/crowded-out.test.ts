/** A message that the database would not take: the provider is told to deliver it again, and it is not lost. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { messagesOf } from '../support/records/messages.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterEach(() => world.close())

test.each([
  ['55P03', 'a lock that others hold', 503],
  ['57014', 'a statement out of time', 503],
  ['25P03', 'a session that stood still', 503],
  ['40P01', 'a deadlock time after time', 503],
  ['XX000', 'anything else', 500],
])('%s, %s: it is to be delivered again with a %i', async (code, _, status) => {
  const accept = await refuseWrites(world, 'a new message', { code })
  const body = webhookOf(shop, [written({ from: '966501880001' })])
  expect(await postWebhook(world, body)).toBe(status)
  await accept()
  expect(await postWebhook(world, body)).toBe(200)
  expect(await messagesOf(world, { companyId: shop.companyId })).toHaveLength(1)
})
