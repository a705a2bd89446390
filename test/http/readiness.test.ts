import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { postHook } from '../support/post-hook.ts'
import { openWorld } from '../support/open-world.ts'
import { holdLock } from '../support/records/locks.ts'
import { failWrites, WAYS_TO_FAIL } from '../support/records/failing-writes.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld({ hasOwnDatabase: true })
const shop = await createShop(world)

const ask = async () => (await fetch(`${world.url}/readyz`)).status

test('however many requests ask for readiness, the database is queried once a second', async () => {
  const asked = vi.spyOn(world.service.context.db.pool, 'query')
  const times = () => asked.mock.calls.filter(([text]) => text.includes('pg_is_in_recovery')).length
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

test.each(WAYS_TO_FAIL)(
  'while hooks are refused because %s it is not ready; then it is again',
  async (way) => {
    const recover = await failWrites(world, way)
    expect(await postHook(shop.hookUrl)).toMatchObject({ http: 503, status: 'service_unavailable' })
    world.clock.advance(1_000)
    expect(await ask()).toBe(503)
    await recover()
    world.clock.advance(1_000)
    expect(await ask()).toBe(200)
    expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
  },
)

test('A check by HTTP/1.0, which names no host, is answered as any other', async () => {
  // HAProxy and other load balancers check so by default.
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
  socket.write('GET /readyz HTTP/1.0\r\n\r\n')
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 /)
})

test('A process is not ready until its workers have looked for due work', async () => {
  const started = await openWorld({ hasOwnDatabase: true })
  const state = async (): Promise<unknown> => (await fetch(`${started.url}/readyz`)).json()
  const held = await holdLock(started, 'looking companies up')
  const starting = started.service.startDaemon()
  await held.blocks('a worker')
  expect(await state()).toEqual({ status: 'starting' })
  await held.release()
  await starting
  expect(await state()).toEqual({ status: 'ready' })
})
