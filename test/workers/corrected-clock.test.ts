/** A clock that was wrong and is put back: nothing waits until it has caught up. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releaseEverything } from '../../src/workers/release-all-leases.ts'
import { createSweepWorker } from '../../src/workers/sweep.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { claimAs, claimOf } from '../support/records/any-table.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { putSecret, storedSecretsOf } from '../support/records/endpoints.ts'
import { runsOf } from '../support/records/runs.ts'
import { postHook } from '../support/post-hook.ts'
import { claim, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterEach(() => world.close())

test('a lease that has ended by the corrected clock is taken over', async () => {
  await world.service.processAll()
  world.clock.advance(-3 * HOUR_MS)
  await raisePings(world, shop)
  await postHook(shop.hookUrl)
  expect(await claim(world, { first: 1 })).toHaveLength(1)
  const [run] = await runsOf(world, shop)
  const leaseEnds = new Date(world.clock.now().getTime() + RUN_LIMITS.leaseMs)
  const row = { table: 'run_queue', column: 'id', id: run!.id }
  await claimAs(world, row, world.service.context.ids.uuid(), leaseEnds)
  world.clock.advance(Math.max(DELIVERY_ENGINE.leaseMs, RUN_LIMITS.leaseMs) + 1)
  await world.service.processAll()
  const [delivery] = await deliveriesOf(world, shop)
  expect(delivery).toMatchObject({ state: 'delivered' })
  expect(await claimOf(world, row)).toBe(null)
})

test('leases that it wrote far ahead delay nothing at the next start', async () => {
  world.clock.advance(2 * DAY_MS)
  await raisePings(world, shop)
  expect(await claim(world, { first: 1 })).toHaveLength(1)
  world.clock.advance(-2 * DAY_MS)
  const { db, clock, log } = world.service.context
  await releaseEverything(db.kysely, clock.now(), log)
  expect(await deliveriesOf(world, shop)).toMatchObject([{ state: 'pending', claimId: null }])
})

systemTest('expired rows are swept', async () => {
  const worker = createSweepWorker(world.service.context)
  await worker.work()
  world.clock.advance(-DAY_MS)
  const [secret] = await storedSecretsOf(world, shop)
  await putSecret(world, secret!.id, { signsUntil: world.clock.now() })
  await worker.work()
  expect(await storedSecretsOf(world, shop)).toEqual([])
})
