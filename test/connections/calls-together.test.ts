/** Calls that begin at the same time share a statement; each is judged as if it had come alone. */
import { describe, expect, test } from 'vitest'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { putConnection } from '../support/records/calls.ts'
import { createOwnShop } from '../support/shop.ts'
import { openCallBench, post } from './call-bench.ts'
import { systemTest } from '../support/system-tests.ts'

const bench = await openCallBench()
const most = CALL_LIMITS.perAccountPerDay

describe('Of calls that begin at the same time', () => {
  test('each is answered for its own connection', async () => {
    const other = await createOwnShop(bench.world)
    const theirs = await bench.connect({ companyId: other.companyId })
    const own = await bench.connect()
    const off = await bench.connect({ isOn: false })
    const made = await Promise.all([
      bench.call(off),
      bench.call(own, { request: { path: '/first' } }),
      bench.call(theirs),
      bench.call(own, { fillings: {} }),
      bench.call(theirs, { companyId: other.companyId, request: { path: '/second' } }),
      bench.call(off, { evenIfOff: true, request: { path: '/third' } }),
      bench.call(bench.world.service.context.ids.uuid()),
    ])
    expect(made.map(({ failure }) => failure)).toEqual([
      'connection_off',
      null,
      'connection_deleted',
      'path_value_refused',
      null,
      null,
      'connection_deleted',
    ])
    expect(bench.api.requests.map(({ url }) => url).toSorted()).toEqual([
      '/api/first',
      '/api/second',
      '/api/third',
    ])
    // Its own account's: the one that was on and the one that was tested.
    expect(await bench.usedToday()).toBe(2)
    expect((await bench.logged()).map(({ path }) => path).toSorted()).toEqual([
      '/api/first',
      '/api/third',
    ])
  })

  systemTest(
    'as many are made as places of the day are left, and another account’s all',
    async () => {
      const other = await createOwnShop(bench.world)
      const theirs = await bench.connect({ companyId: other.companyId })
      const id = await bench.connect()
      await bench.useUp(most - 3)
      const made = await Promise.all(
        Array.from({ length: 100 }, async (_, at) =>
          at % 2 === 0
            ? bench.call(id, post)
            : bench.call(theirs, { ...post, companyId: other.companyId }),
        ),
      )
      const ours = made.filter((_, at) => at % 2 === 0)
      expect(ours.filter(({ isMade }) => isMade)).toHaveLength(3)
      expect(made.filter(({ isMade }) => isMade)).toHaveLength(53)
      expect(await bench.usedToday()).toBe(most)
      expect(await bench.logged()).toHaveLength(3)
    },
  )

  test('one that cannot be asked for fails alone', async () => {
    const id = await bench.connect()
    const calls = [bench.call(id), bench.call('no connection id'), bench.call(id)]
    const statuses = (await Promise.allSettled(calls)).map(({ status }) => status)
    expect(statuses).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await bench.usedToday()).toBe(2)
  })

  test('one that cannot be written down leaves the lines of the others', async () => {
    const id = await bench.connect()
    const source = { kind: 'test', personId: 'not a person' } as const
    const made = await Promise.all([bench.call(id), bench.call(id, { source }), bench.call(id)])
    expect(made.map(({ outcome }) => outcome)).toEqual(['success', 'success', 'success'])
    expect(await bench.logged()).toHaveLength(2)
  })
})

test('a place that was taken for a call that is not made is given back', async () => {
  const id = await bench.connect()
  await bench.useUp(most - 1)
  const off = await bench.call(id, { onAttempt: async () => false })
  expect(off).toMatchObject({ isMade: false, failure: 'not_wanted' })
  await putConnection(bench.world, { connectionId: id }, { credential: 'v1.gone.x.y' })
  expect(await bench.call(id)).toMatchObject({ failure: 'credential_unreadable' })
  expect(await bench.usedToday()).toBe(most - 1)
  expect(await bench.call(await bench.connect(), post)).toMatchObject({ outcome: 'success' })
})
