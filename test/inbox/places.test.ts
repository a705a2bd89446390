/** Where customers say that they are, which staff sees nowhere else: a number of the platform has no app. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageView } from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterAll(() => world.close())

test.each([
  ['where it lies', {}, '24.7136, 46.6753'],
  ['its name and address', { name: 'Kingdom Centre', address: 'Riyadh' }, 'Kingdom Centre, Riyadh'],
])('a location is shown with %s', async (_, more, place) => {
  const from = '966501990001'
  const location = { latitude: 24.7136, longitude: 46.6753, ...more }
  const told = written({ from, content: { type: 'location', location } })
  expect(await postWebhook(world, webhookOf(shop, [told]))).toBe(200)
  const { id } = await world.database.db.kysely
    .selectFrom('conversation')
    .select('id')
    .where('channelId', '=', shop.channelId)
    .where('filedUnder', '=', from)
    .executeTakeFirstOrThrow()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const at = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}`
  const { body } = await owner.ask<Page<MessageView>>('GET', `${at}/timeline`)
  expect(body.items).toContainEqual(
    expect.objectContaining({ type: 'location', text: null, transcript: null, place }),
  )
})
