import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createWorld, type World } from '../support/service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const ask = async () => (await fetch(`${world.url}/readyz`)).status

test('however many ask whether it is ready, the database is asked once a second', async () => {
  const asked = vi.spyOn(world.service.context.db.pool, 'query')
  const times = () => asked.mock.calls.filter(([text]) => (text as unknown) === 'select 1').length
  expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(200))
  expect(times()).toBe(1)
  world.clock.advance(999)
  await ask()
  expect(times()).toBe(1)
  world.clock.advance(1)
  await ask()
  expect(times()).toBe(2)
})

test('a clock that is put back does not keep what was known', async () => {
  const asked = vi.spyOn(world.service.context.db.pool, 'query')
  asked.mockClear()
  world.clock.advance(-60_000)
  await ask()
  expect(asked).toHaveBeenCalled()
})
