/** Hook requests and providers' webhooks find a database connection, however busy the workers are. */
import type { PoolClient } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { postHook, ORDER } from '../support/post-hook.ts'
import { createShop } from '../support/shop.ts'
import { textsOf } from '../support/records/messages.ts'
import { newPhone } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { openWorld } from '../support/open-world.ts'

const held: PoolClient[] = []
const world = await openWorld({ databasePool: '8' })
const shop = await createShop(world)
const { pool } = world.service.context.db
for (let taken = 0; taken < pool.options.max; taken += 1) held.push(await pool.connect())
afterAll(() => {
  for (const client of held) client.release()
})

test('While the workers use all their connections, a hook request is accepted', async () => {
  const customer = { ...ORDER.customer, phone: newPhone() }
  expect(await postHook(shop.hookUrl, { ...ORDER, customer })).toMatchObject({
    http: 202,
    status: 'accepted',
  })
})

test('While the workers use all their connections, a provider’s webhook is ingested', async () => {
  const from = newPhone().slice(1)
  expect(await postWebhook(world, webhookOf(shop, [written({ from, text: 'hello' })]))).toBe(200)
  for (const client of held.splice(0)) client.release()
  const received = { companyId: shop.companyId, direction: 'in' } as const
  expect(await textsOf(world, received)).toEqual(['hello'])
})

test('All pools together have no more connections than the operator allows', () => {
  // Three of eight connections are reserved for requests.
  expect(world.service.context.db.pool.options.max).toBe(5)
})
