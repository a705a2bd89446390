import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryView } from '../../src/contract/dashboard/delivery.ts'
import { LIVE_DELIVERY } from '../../src/deliveries/live-delivery.ts'
import { createLiveChanges } from '../../src/live/watch-changes.ts'
import { raisePings } from '../support/deliveries.ts'
import { insertDeliveries, lookUntil } from '../support/live.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { inTime } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let shops = 0
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  shops += 1
  const phoneNumberId = `shop ${shops}`
  shop = await createShop(world, { phoneNumberId, businessAccountId: phoneNumberId })
})

describe('Live changes', () => {
  test('leave none out when deliveries change several times between two looks', async () => {
    const live = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const told = new Set<string>()
    const messages: string[] = []
    const stop = live.watch({
      accountId: shop.accountId,
      companyId: shop.companyId,
      role: 'owner',
      position: null,
      tell(message) {
        messages.push(message.kind)
        if (message.kind === 'changed') {
          for (const { thing } of message.things) told.add((thing as DeliveryView).id)
        }
      },
    })
    await lookUntil('the first message', live, () => messages.length > 0)
    const [first, later] = [200, 100]
    await world.database.db.kysely.transaction().execute(async (tx) => {
      const query = (text: string, values: unknown[]) =>
        tx.executeQuery(CompiledQuery.raw(text, values))
      await insertDeliveries(world, shop, first, query)
      for (const attempts of [1, 2]) {
        await tx
          .updateTable('webhookDelivery')
          .set({ attempts })
          .where('companyId', '=', shop.companyId)
          .execute()
      }
      await insertDeliveries(world, shop, later, query)
    })
    await lookUntil('the changes', live, () => messages.length > 1)
    stop()
    expect(messages.includes('reset') ? first + later : told.size).toBe(first + later)
  })

  test('begin once every transaction has ended whose changes may not be kept', async () => {
    const live = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const messages: string[] = []
    const client = await world.database.db.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into event (id, company_id, type, occurred_at) values (new_uuid_v7($2), $1, 'ping', $2)`,
        [shop.companyId, world.clock.now()],
      )
      const stop = live.watch({
        accountId: shop.accountId,
        companyId: shop.companyId,
        role: 'owner',
        position: null,
        tell: ({ kind }) => void messages.push(kind),
      })
      for (let looked = 0; looked < 3; looked += 1) await live.poll()
      expect(messages).toEqual([])
      await client.query('commit')
      await lookUntil('the first message', live, () => messages.length > 0)
      expect(messages).toEqual(['ready'])
      stop()
    } finally {
      client.release()
    }
  })

  test('are of any noun whose table notes them, to the roles that may see it', async () => {
    const { db } = world.database
    await db.pool.query(`create trigger contact_made after insert on contact
      referencing new table as made for each statement execute function note_made('contact')`)
    const live = createLiveChanges(world.service.context, {
      delivery: LIVE_DELIVERY,
      contact: {
        roles: ['owner', 'admin', 'agent'],
        load: (kysely, { companyId, ids }) =>
          kysely
            .selectFrom('contact')
            .select(['id', 'name'])
            .where('companyId', '=', companyId)
            .where('id', 'in', ids)
            .execute(),
      },
    })
    const toldOf = { owner: [] as string[], agent: [] as string[] }
    const stops = (['owner', 'agent'] as const).map((role) =>
      live.watch({
        accountId: shop.accountId,
        companyId: shop.companyId,
        role,
        position: null,
        tell: (message) =>
          toldOf[role].push(
            ...(message.kind === 'changed'
              ? message.things.map(({ noun }) => noun)
              : [message.kind]),
          ),
      }),
    )
    await lookUntil('both are ready', live, () => toldOf.owner.length + toldOf.agent.length === 2)
    await raisePings(world, shop)
    await db.pool.query(
      `insert into contact (id, company_id, name, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Huda', $2, $2)`,
      [shop.companyId, world.clock.now()],
    )
    await lookUntil('both are told', live, () => toldOf.agent.length === 2)
    await lookUntil('the owner is told of both', live, () => toldOf.owner.length === 3)
    for (const stop of stops) stop()
    await db.pool.query('drop trigger contact_made on contact')
    expect(toldOf.agent).toEqual(['ready', 'contact'])
    expect(toldOf.owner.toSorted()).toEqual(['contact', 'delivery', 'ready'])
  })

  systemTest('come to a listener on any node', async () => {
    const elsewhere = createLiveChanges(world.service.context, { delivery: LIVE_DELIVERY })
    const messages: string[] = []
    const told = Promise.withResolvers<void>()
    const stop = elsewhere.watch({
      accountId: shop.accountId,
      companyId: shop.companyId,
      role: 'owner',
      position: null,
      tell(message) {
        messages.push(message.kind)
        if (message.kind === 'changed') told.resolve()
      },
    })
    await lookUntil('the first message', elsewhere, () => messages.length > 0)
    expect(messages).toEqual(['ready'])
    await raisePings(world, shop)
    await inTime('the change is told', told.promise)
    stop()
    expect(messages).toEqual(['ready', 'changed'])
  })
})
