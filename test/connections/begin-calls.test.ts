/** The statement that reads connections and reserves calls of the daily quota, separately for each call of a batch. */
import { expect, test } from 'vitest'
import { beginCall } from '../../src/modules/connections/begin-calls.sql.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { setPlan } from '../support/records/accounts.ts'
import { callsByDay, deleteConnection } from '../support/records/calls.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { API_TOKEN } from '../support/shop-api.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openCallBench } from './call-bench.ts'

const bench = await openCallBench()
const max = CALL_LIMITS.perAccountPerDay

type Asked = Parameters<typeof beginCall>[1]
const begin = (connectionId: string, change: Partial<Asked> = {}) =>
  beginCall(bench.world.database.db, {
    connectionId,
    companyId: bench.shop.companyId,
    evenIfOff: false,
    isReady: true,
    now: bench.world.clock.now(),
    ...change,
  })
/** Returns for each call whether it was reserved, or null for an unknown connection. */
const placesOf = async (calls: ReturnType<typeof begin>[]) =>
  (await Promise.all(calls)).map((begun) => begun && begun.isReserved)
/** Returns the number of the account's calls today. */
const used = async (shop: Shop) => (await callsByDay(bench.world, shop)).at(-1) ?? 0

test("a call gets its connection's data and the plan of its account", async () => {
  const headers = [{ name: 'x-shop', value: '7' }]
  const auth = { kind: 'header' as const, name: 'x-key', key: API_TOKEN }
  const id = await bench.connect({ headers, timeoutMs: 1_234, auth })
  expect(await begin(id)).toEqual({
    isReserved: true,
    connection: {
      id,
      companyId: bench.shop.companyId,
      accountId: bench.shop.accountId,
      plan: 'business',
      baseUrl: bench.api.baseUrl,
      auth: { kind: 'header', name: 'x-key' },
      sealedCredential: expect.stringMatching(/^v1\./),
      headers,
      timeoutMs: 1_234,
      isOn: true,
    },
  })
})

test('a call is reserved only if it is ready, its connection is on or tested, and the plan includes it', async () => {
  const [on, off] = [await bench.connect(), await bench.connect({ isOn: false })]
  expect(await placesOf([begin(on, { isReady: false }), begin(off)])).toEqual([false, false])
  expect(await used(bench.shop)).toBe(0)
  const mixed = [
    begin(on, { isReady: false }),
    begin(off, { evenIfOff: true }),
    begin(off),
    begin(on),
    begin(off, { evenIfOff: true, isReady: false }),
  ]
  expect(await placesOf(mixed)).toEqual([false, true, false, true, false])
  expect(await used(bench.shop)).toBe(2)
  for (const plan of ['free', 'starter', 'pro'] as const) {
    await setPlan(bench.world, bench.shop, plan)
    const [begun, other] = await Promise.all([begin(on), begin(on)])
    expect([begun!.connection.plan, begun!.isReserved, other!.isReserved]).toEqual([
      plan,
      false,
      false,
    ])
  }
  expect(await used(bench.shop)).toBe(2)
})

test('a connection that is deleted, unknown or of another company is not found', async () => {
  const other = await createOwnShop(bench.world)
  const [own, theirs] = [await bench.connect(), await bench.connect({ companyId: other.companyId })]
  const gone = await bench.connect()
  await deleteConnection(bench.world, { connectionId: gone })
  const nobodys = bench.world.service.context.ids.uuid()
  const calls = [begin(theirs), begin(gone), begin(own), begin(nobodys)]
  expect(await placesOf(calls)).toEqual([null, null, true, null])
  expect([await used(bench.shop), await used(other)]).toEqual([1, 0])
})

test('the last call of the day is reserved once, and a batch gets as many as are left', async () => {
  const id = await bench.connect()
  await bench.useUp(max - 1)
  expect(await placesOf([begin(id)])).toEqual([true])
  expect(await placesOf([begin(id)])).toEqual([false])
  expect(await used(bench.shop)).toBe(max)
  await bench.useUp(max - 2)
  expect(await placesOf([begin(id), begin(id)])).toEqual([true, true])
  await bench.useUp(max - 1)
  const two = [begin(id), begin(id, { isReady: false }), begin(id)]
  // Concurrent calls have no order, so either may get the last one.
  expect((await placesOf(two)).toSorted()).toEqual([false, false, true])
  expect(await used(bench.shop)).toBe(max)
})

test('the quota is that of one account and one UTC day', async () => {
  const other = await createOwnShop(bench.world)
  const id = await bench.connect()
  const theirs = await bench.connect({ companyId: other.companyId })
  await bench.useUp(max)
  const yesterday = new Date(bench.world.clock.now().getTime() - DAY_MS)
  const calls = [
    begin(id),
    begin(theirs, { companyId: other.companyId }),
    begin(id, { now: yesterday }),
    begin(theirs, { companyId: other.companyId }),
  ]
  expect(await placesOf(calls)).toEqual([false, true, true, true])
  expect(await callsByDay(bench.world, bench.shop)).toEqual([1, max])
  expect(await used(other)).toBe(2)
})

test('a failure to read the quota affects its own call alone, and no call is counted twice', async () => {
  const other = await createOwnShop(bench.world)
  const id = await bench.connect()
  const theirs = await bench.connect({ companyId: other.companyId })
  await bench.useUp(max - 1)
  const { accountId } = bench.shop
  const refusal = { code: '55P03', nth: 2, accountId }
  const accept = await refuseWrites(bench.world, 'calls of a day', refusal)
  const begun = await Promise.allSettled([
    begin(id),
    begin(id),
    begin(theirs, { companyId: other.companyId }),
  ])
  await accept()
  expect(begun.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect([await used(bench.shop), await used(other)]).toEqual([max, 1])
})
