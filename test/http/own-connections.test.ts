/** Whatever the service is at work on, hook requests and providers' webhooks find a connection. */
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

let world: World
let shop: Shop
const held: PoolClient[] = []
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
  shop = await createShop(world)
  const { pool } = world.service.context.db
  for (let taken = 0; taken < pool.options.max; taken += 1) held.push(await pool.connect())
})
afterAll(async () => {
  for (const client of held) client.release()
  await world.close()
})

test('While all connections of the work are taken, a hook request is accepted', async () => {
  const customer = { ...ORDER.customer, phone: newPhone() }
  expect(await askHook(shop.hookUrl, { ...ORDER, customer })).toMatchObject({
    http: 202,
    status: 'accepted',
  })
})

test('and what a provider posts is taken in', async () => {
  const from = newPhone().slice(1)
  expect(await postWebhook(world, webhookOf(shop, [written({ from, text: 'hello' })]))).toBe(200)
  const rows = await world.database.db.kysely
    .selectFrom('message')
    .select('text')
    .where('direction', '=', 'in')
    .execute()
  expect(rows).toEqual([{ text: 'hello' }])
})

test('All of them together are no more than the operator allows', () => {
  // Of eight, three are the doors'.
  expect(world.service.context.db.pool.options.max).toBe(5)
})
