import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../src/database/transaction.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'

const FIRST = '00000000-0000-7000-8000-000000000001'
const SECOND = '00000000-0000-7000-8000-000000000002'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.kysely
    .insertInto('account')
    .values([FIRST, SECOND].map((id) => ({ id, plan: 'free', createdAt: new Date() })))
    .execute()
})
afterAll(() => database.drop())

test('two transactions that lock each other out both succeed in the end', async () => {
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  let runs = 0
  async function renameBoth(name: string, ids: string[]): Promise<string> {
    return transaction(database.db, async (tx) => {
      runs++
      for (const id of ids) {
        await tx.updateTable('account').set({ name }).where('id', '=', id).execute()
        if (++holding >= 2) bothHoldOne.resolve()
        await bothHoldOne.promise
      }
      return name
    })
  }
  const names = await Promise.all([
    renameBoth('one', [FIRST, SECOND]),
    renameBoth('two', [SECOND, FIRST]),
  ])
  expect(names).toEqual(['one', 'two'])
  expect(runs).toBe(3)
  const rows = await database.db.kysely.selectFrom('account').select('name').execute()
  expect(new Set(rows.map((row) => row.name)).size).toBe(1)
})

test('a transaction that is broken off every time is given up after five repeats', async () => {
  let runs = 0
  const work = transaction(database.db, async () => {
    runs++
    throw Object.assign(new Error('could not serialize access'), { code: '40001' })
  })
  await expect(work).rejects.toThrow('could not serialize access')
  expect(runs).toBe(6)
})

test('any other error ends it at once and nothing is kept', async () => {
  let runs = 0
  const work = transaction(database.db, async (tx) => {
    runs++
    await tx.updateTable('account').set({ name: 'lost' }).execute()
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  expect(runs).toBe(1)
  const lost = await database.db.kysely
    .selectFrom('account')
    .select('id')
    .where('name', '=', 'lost')
    .execute()
  expect(lost).toEqual([])
})

test('transactions are read committed', async () => {
  const level = await transaction(database.db, async (tx) => {
    const { rows } = await sql`show transaction_isolation`.execute(tx)
    return rows[0]
  })
  expect(level).toEqual({ transactionIsolation: 'read committed' })
})
