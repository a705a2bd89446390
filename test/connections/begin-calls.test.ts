/** The statement that reads connections and takes places of the day: each call of a batch by itself. */
import { expect, test } from 'vitest'
import { beginCall } from '../../src/connections/begin-calls.sql.ts'
import { CALL_LIMITS } from '../../src/limits/calls.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import type { Plan } from '../../src/vocabulary/accounts.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { callBench, TOKEN } from './call-bench.ts'

const bench = callBench()
const most = CALL_LIMITS.perAccountPerDay

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
/** Whether each got a place; null where there is no such connection. */
const placesOf = async (calls: ReturnType<typeof begin>[]) =>
  (await Promise.all(calls)).map((begun) => begun && begun.hasPlace)
const used = async (shop: Shop, ageMs = 0) => {
  const day = new Date(bench.world.clock.now().getTime() - ageMs).toISOString().slice(0, 10)
  const { rows } = await bench.world.database.db.pool.query<{ made: number }>(
    'select made from call_day where account_id = $1 and day = $2::date',
    [shop.accountId, day],
  )
  return rows[0]?.made ?? 0
}
const onPlan = (plan: Plan) =>
  bench.world.database.db.kysely
    .updateTable('account')
    .set({ plan })
    .where('id', '=', bench.shop.accountId)
    .execute()

test('The connection is told as it is, with the plan of its account', async () => {
  const headers = [{ name: 'x-shop', value: '7' }]
  const auth = { kind: 'header' as const, name: 'x-key', key: TOKEN }
  const id = await bench.connect({ headers, timeoutMs: 1_234, auth })
  expect(await begin(id)).toEqual({
    hasPlace: true,
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

test('A place is taken by what is ready, on or asked for all the same, and in the plan; by nothing else', async () => {
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
    await onPlan(plan)
    const [begun, other] = await Promise.all([begin(on), begin(on)])
    expect([begun!.connection.plan, begun!.hasPlace, other!.hasPlace]).toEqual([plan, false, false])
  }
  expect(await used(bench.shop)).toBe(2)
})

test('What is another company’s, deleted or nobody’s is not there', async () => {
  const other = await createShop(bench.world, { phoneNumberId: 'o', businessAccountId: 'o' })
  const [own, theirs] = [await bench.connect(), await bench.connect({ companyId: other.companyId })]
  const gone = await bench.connect()
  await bench.world.database.db.kysely
    .updateTable('apiConnection')
    .set({ deletedAt: bench.world.clock.now(), isOn: false, credential: null })
    .where('id', '=', gone)
    .execute()
  const nobodys = bench.world.service.context.ids.uuid()
  const calls = [begin(theirs), begin(gone), begin(own), begin(nobodys)]
  expect(await placesOf(calls)).toEqual([null, null, true, null])
  expect([await used(bench.shop), await used(other)]).toEqual([1, 0])
})

test('The last place of the day is taken, and none after it; of several each has what is left', async () => {
  const id = await bench.connect()
  await bench.useUp(most - 1)
  expect(await placesOf([begin(id)])).toEqual([true])
  expect(await placesOf([begin(id)])).toEqual([false])
  expect(await used(bench.shop)).toBe(most)
  await bench.useUp(most - 2)
  expect(await placesOf([begin(id), begin(id)])).toEqual([true, true])
  await bench.useUp(most - 1)
  const two = [begin(id), begin(id, { isReady: false }), begin(id)]
  expect(await placesOf(two)).toEqual([true, false, false])
  expect(await used(bench.shop)).toBe(most)
})

test('Places are those of one account and one UTC day', async () => {
  const other = await createShop(bench.world, { phoneNumberId: 'p', businessAccountId: 'p' })
  const id = await bench.connect()
  const theirs = await bench.connect({ companyId: other.companyId })
  await bench.useUp(most)
  const yesterday = new Date(bench.world.clock.now().getTime() - DAY_MS)
  const calls = [
    begin(id),
    begin(theirs, { companyId: other.companyId }),
    begin(id, { now: yesterday }),
    begin(theirs, { companyId: other.companyId }),
  ]
  expect(await placesOf(calls)).toEqual([false, true, true, true])
  expect([await used(bench.shop), await used(bench.shop, DAY_MS), await used(other)]).toEqual([
    most,
    1,
    2,
  ])
})

test('A fault of the look for what is left is that call’s alone: no place is counted twice', async () => {
  const other = await createShop(bench.world, { phoneNumberId: 'q', businessAccountId: 'q' })
  const id = await bench.connect()
  const theirs = await bench.connect({ companyId: other.companyId })
  await bench.useUp(most - 1)
  const { pool } = bench.world.database.db
  await pool.query('create sequence looked')
  await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin
      if nextval('looked') = 2 then raise exception 'crowded out' using errcode = '55P03'; end if;
      return new;
    end $$`)
  await pool.query(`create trigger refuse before insert on call_day for each row
    when (new.account_id = '${bench.shop.accountId}') execute function refuse()`)
  const begun = await Promise.allSettled([
    begin(id),
    begin(id),
    begin(theirs, { companyId: other.companyId }),
  ])
  await pool.query('drop function refuse cascade; drop sequence looked')
  expect(begun.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect([await used(bench.shop), await used(other)]).toEqual([most, 1])
})
