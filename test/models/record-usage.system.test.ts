/** Tokens are counted once, whatever becomes of the database while they are recorded. Spec: Assistant › Models. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { recordUsage } from '../../src/modules/models/record-usage.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { openWorld } from '../support/open-world.ts'
import { modelUseOf } from '../support/records/models.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()

test('Usage whose commit got no answer is counted once, although the database stays away for long', async () => {
  const { accountId } = await createShop(world)
  const proxy = await startLosingProxy(world.database.connection)
  const db = connectDatabase(proxy.connection)
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await db.close()
    await proxy.close()
  })
  void proxy.loseAnswerTo(/insert into model_day/, { thenDown: true })
  let laterMs = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs)
  const connect = db.pool.connect.bind(db.pool) as () => void
  let connections = 0
  vi.spyOn(db.pool, 'connect').mockImplementation(() => {
    connections += 1
    // The second connection asks whether the commit has happened, twenty seconds after it.
    if (connections === 2) laterMs = 20 * SECOND_MS
    if (connections === 3) proxy.up()
    return connect()
  })

  const use = { requests: 1, tokensIn: 100, tokensOut: 20, estimated: 0 }
  const used = {
    accountId,
    day: world.clock.now().toISOString().slice(0, 10),
    purpose: 'customer',
    use,
    usedBefore: 0,
    allowance: 1_000_000,
  } as const
  await recordUsage({ ...world.service.context, db }, used, new AbortController().signal)
  expect(connections).toBe(3)
  expect(await modelUseOf(world, { accountId })).toEqual([{ purpose: 'customer', ...use }])
})
