/** Hooks and messages that meet one customer by different ids. Spec: Hooks › What an accepted request makes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { whatIsStored } from './what-is-stored.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
})
afterAll(() => world.close())

test('a conversation that a message begins at the same moment, under another id, is taken', async () => {
  const shop = await createShop(world)
  const { pool } = world.database.db
  const contactId = world.service.context.ids.uuid()
  await pool.query(
    `insert into contact (id, company_id, phone, created_at, updated_at) values ($1, $2, $3, $4, $4)`,
    [contactId, shop.companyId, ORDER.customer.phone, world.clock.now()],
  )
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from contact where id = $1 for update', [contactId])
  const asked = askHook(shop.hookUrl)
  await waitUntilBlocked('the hook', pool, holder)
  await holder.query(
    `insert into conversation (id, company_id, channel_id, channel_type, contact_id, filed_under,
      created_at) values ('wa_begun', $1, $2, 'whatsapp', $3, 'US.1', $4)`,
    [shop.companyId, shop.channelId, contactId, world.clock.now()],
  )
  await holder.query('commit')
  holder.release()
  expect(await asked).toMatchObject({ http: 202 })
  expect(await whatIsStored(world, shop)).toMatchObject({ runs: 1, conversations: 1 })
})
