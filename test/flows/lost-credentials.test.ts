import { afterAll, beforeAll, expect, test } from 'vitest'
import { askHook } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { APP_SECRET } from '../support/shop.ts'
import {
  approved,
  newPhone,
  simulateWhatsApp,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test('a token that the provider no longer accepts disconnects the channel: hooks answer channel_unavailable', async () => {
  const shop = await whatsApp.openShop()
  whatsApp.simulator.addNumber({
    phoneNumberId: shop.phoneNumberId,
    businessAccountId: shop.businessAccountId,
    displayPhoneNumber: '15550783881',
    verifiedName: 'Shop',
    accessToken: 'another one now',
    appSecret: APP_SECRET,
    webhookUrl: `${world.url}/webhooks/whatsapp`,
    templates: [approved('order_ready', 'en')],
  })
  const runId = await shop.order(newPhone())
  await whatsApp.settle()
  const run = await world.database.db.kysely
    .selectFrom('flowRun')
    .selectAll()
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(run).toMatchObject({ status: 'failed', endReason: 'error' })
  const channel = await world.database.db.kysely
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', shop.channelId)
    .executeTakeFirstOrThrow()
  expect(channel).toMatchObject({ isConnected: false })
  expect(channel.disconnectedReason).toContain('190')
  expect(await askHook(shop.hookUrl)).toMatchObject({ http: 409, status: 'channel_unavailable' })
})
