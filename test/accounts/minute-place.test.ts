import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeMinutePlace } from '../../src/accounts/take-minute-place.sql.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const MINUTE = Date.parse('2026-11-21T09:00:00.000Z')

let database: TestDatabase
const accounts = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b']
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.kysely
    .insertInto('account')
    .values(accounts.map((id) => ({ id, plan: 'business', createdAt: new Date(MINUTE) })))
    .execute()
})
afterAll(() => database.drop())

const take = (
  atMs: number,
  accountId = accounts[0]!,
  what: 'tests_and_resends' | 'connection_tests' = 'tests_and_resends',
) =>
  takeMinutePlace(database.db.kysely, { accountId, what, most: 10, now: new Date(MINUTE + atMs) })

test('an account has its places once in a clock minute, however many ask at one moment', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => take(59_999)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(10)
  expect(answers.find(({ ok }) => !ok)).toEqual({
    ok: false,
    freesAt: new Date(MINUTE + MINUTE_MS),
  })
  // Another account, and another kind, have places of their own; the next minute begins anew.
  expect(await take(59_999, accounts[1])).toEqual({ ok: true })
  expect(await take(59_999, accounts[0], 'connection_tests')).toEqual({ ok: true })
  expect(await take(60_000)).toEqual({ ok: true })
})
