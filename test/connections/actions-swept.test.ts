import { afterAll, beforeAll, expect, test } from 'vitest'
import { RETENTION } from '../../src/limits/retention.ts'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import { createActionWorld, type ActionWorld } from './action-world.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())

const countsOf = async () => {
  const { rows } = await w.deps.db.pool.query<Record<string, number>>(
    `select (select count(*) from action_proposal) as proposals,
       (select count(*) from action_day) as days, (select count(*) from action_reply) as replies`,
  )
  return rows[0]
}

test('Proposals are kept as long as the log of calls, what calls are counted with for two days', async () => {
  const proposing = await w.make({ needsConfirmation: true })
  const calling = await w.make()
  const talk = await w.customer()
  await talk.use(proposing.name, { order: '7' })
  await talk.use(calling.name, { order: '7' })
  await w.world.service.processAll()
  expect(await countsOf()).toEqual({ proposals: 1, days: 1, replies: 1 })
  // What began yesterday may still go on.
  w.world.clock.advance(DAY_MS + HOUR_MS)
  await w.world.service.sweep()
  expect(await countsOf()).toEqual({ proposals: 1, days: 1, replies: 1 })
  w.world.clock.advance(2 * DAY_MS)
  await w.world.service.sweep()
  expect(await countsOf()).toEqual({ proposals: 1, days: 0, replies: 0 })
  w.world.clock.advance(RETENTION.callLogMs - 3 * DAY_MS - 2 * HOUR_MS)
  await w.world.service.sweep()
  expect((await countsOf())!['proposals']).toBe(1)
  w.world.clock.advance(2 * HOUR_MS)
  await w.world.service.sweep()
  expect((await countsOf())!['proposals']).toBe(0)
})
