/**
 * A node that looks for due rows reads the table as it was when its statement began. A delivery that another node
 * has attempted meanwhile waits for its next time. Spec: Deliveries › Retries.
 */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DELIVERY_QUEUE } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { releaseRows } from '../../src/infra/database/queues/release.sql.ts'
import { enqueueDueDeliveries } from '../../src/modules/deliveries/enqueue-due.sql.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { dueNext, endLeases } from '../support/queues.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import { addEndpoint, claim, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
  world.receiver.answerWith(500)
  await raisePings(world, shop)
  await world.service.processAll()
  world.clock.advance(MINUTE_MS)
})
afterEach(() => world.close())

const delivery = async () => (await deliveriesOf(world, shop))[0]!
const ready = (notLive: string[] = []) =>
  enqueueDueDeliveries(world.database.db.kysely, { now: world.clock.now(), notLive })

/**
 * Delays a statement where it reads an endpoint, after it began and before it locks the rows that it found. Another
 * node meanwhile makes the second attempt, which fails.
 */
async function whileAnotherNodeTries<T>(statement: () => Promise<T>): Promise<T> {
  const { kysely, pool } = world.database.db
  await sql`alter table endpoint rename to endpoint_of_shops`.execute(kysely)
  await sql`create function is_let_go() returns boolean volatile language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(4711); return true; end $$`.execute(kysely)
  await sql`create view endpoint as select * from endpoint_of_shops where is_let_go()`.execute(
    kysely,
  )
  const holder = await pool.connect()
  try {
    await holder.query('select pg_advisory_lock(4711)')
    const result = statement()
    await waitUntilBlocked('the statement', pool, holder)
    await sql`
      with tried as (
        update webhook_delivery set attempts = 2 where company_id = ${shop.companyId}
      )
      update delivery_queue set queue = 'later',
        due_at = ${new Date(world.clock.now().getTime() + 5 * MINUTE_MS)}
      where company_id = ${shop.companyId}
    `.execute(kysely)
    await holder.query('select pg_advisory_unlock(4711)')
    return await result
  } finally {
    holder.release(true)
  }
}

test("a claim takes nothing that another node has tried since the claim's statement began", async () => {
  await ready()
  expect(await delivery()).toMatchObject({ queue: 'retry', attempts: 1 })
  expect(await whileAnotherNodeTries(() => claim(world, { retry: 1 }))).toEqual([])
  expect(await delivery()).toMatchObject({ queue: 'later', claimId: null, attempts: 2 })
})

test('a delivery does not enter its queue if another node has tried it since it was seen as due', async () => {
  const other = await addEndpoint(world, shop)
  await whileAnotherNodeTries(() => ready([other]))
  expect(await delivery()).toMatchObject({ state: 'pending', queue: 'later', attempts: 2 })
})

test('a late release by a node does not affect a delivery that another node has claimed', async () => {
  const { kysely } = world.database.db
  await ready()
  const [ours] = await claim(world, { retry: 1 })
  world.clock.advance(DELIVERY_ENGINE.leaseMs + 1)
  await endLeases(world, DELIVERY_QUEUE)
  const [theirs] = await claim(world, { retry: 1 })
  expect(theirs!.id).toBe(ours!.id)
  await releaseRows(kysely, DELIVERY_QUEUE, [ours!], world.clock.now())
  expect(await delivery()).toMatchObject({ claimId: theirs!.claimId })
  await releaseRows(kysely, DELIVERY_QUEUE, [theirs!], world.clock.now())
  expect(await delivery()).toMatchObject({ claimId: null, queue: 'retry' })
})

test('a node wakes for a retry when it is due, for a delivery in a queue, and for the end of a lease', async () => {
  const next = () => dueNext(world, DELIVERY_QUEUE)
  const now = world.clock.now()
  expect(await next()).toEqual(now)
  await ready()
  expect(await delivery()).toMatchObject({ queue: 'retry' })
  expect(await next()).toEqual(now)
  expect(await claim(world, { retry: 1 })).toHaveLength(1)
  expect(await next()).toEqual(new Date(now.getTime() + DELIVERY_ENGINE.leaseMs))
})
