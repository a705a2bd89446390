/**
 * An unavailable database delays the retention sweep only until it is back, and a stop by no sweep but the current one.
 * A sweep that fails delays no other.
 */
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import { createSweepWorker } from '../../src/workers/sweep.ts'
import { SWEEP } from '../../src/core/limits/retention.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { openWorld } from '../support/open-world.ts'
import { countEach } from '../support/records/any-table.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { addModelUse } from '../support/records/models.ts'
import { createOwnShop, createShop } from '../support/shop.ts'

const world = await openWorld()

/** Connects to the database through a proxy. */
async function connectThroughProxy() {
  const proxy = await startLosingProxy(world.database.connection)
  const db = connectDatabase(proxy.connection)
  onTestFinished(async () => {
    await db.close()
    await proxy.close()
  })
  return { proxy, db }
}

test('An unavailable database delays the retention sweep by no hour', async () => {
  const { proxy, db } = await connectThroughProxy()
  await addModelUse(world, await createShop(world))
  world.clock.advance(31 * DAY_MS)
  const left = () => countEach(world, ['modelDay', 'modelWarning'])
  const worker = createSweepWorker({ ...world.service.context, db })

  // The outage begins with one sweep and lasts for the pass; the sweeps before it are not repeated.
  const lost = proxy.loseAnswerTo(/model_day/, { thenDown: true })
  const failed = worker.work().catch((error: unknown) => error)
  await lost
  expect(isDatabaseUnavailable(await failed)).toBe(true)
  expect(await left()).toMatchObject({ modelWarning: 1 })
  proxy.up()
  expect(await worker.work()).toBe(false)
  expect(await left()).toEqual({ modelDay: 0, modelWarning: 0 })
  const nextMs = (await worker.nextDue())!.getTime() - world.clock.now().getTime()
  expect(nextMs).toBe(SWEEP.everyMs)
})

test('A sweep for which the disk stays full delays the others by no more than an hour', async () => {
  const shop = await createOwnShop(world)
  await addModelUse(world, shop)
  world.clock.advance(31 * DAY_MS)
  const accept = await refuseWrites(world, 'the deletion of usage of models', { code: '53100' })
  onTestFinished(accept)
  const worker = createSweepWorker(world.service.context)
  await expect(worker.work()).rejects.toMatchObject({ code: '53100' })

  await addModelUse(world, shop)
  world.clock.advance(31 * DAY_MS)
  await expect(worker.work()).rejects.toMatchObject({ code: '53100' })
  expect(await countEach(world, ['modelDay', 'modelWarning'])).toEqual({
    modelDay: 2,
    modelWarning: 0,
  })
})

test('A stop in an outage waits for the sweep that has begun, and for no other', async () => {
  const { proxy, db } = await connectThroughProxy()
  const worker = createSweepWorker({ ...world.service.context, db })
  const lost = proxy.loseAnswerTo(/model_day/, { thenDown: true })
  const ended = worker.work().catch((error: unknown) => error)
  await lost
  worker.halt?.()
  const connect = vi.spyOn(db.pool, 'connect')
  onTestFinished(() => connect.mockRestore())
  await ended
  expect(connect).not.toHaveBeenCalled()
})
