import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { noteWork, type Work } from '../../src/database/commit-notes.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { transaction } from '../../src/database/transaction.ts'
import { createDatabaseDoor } from '../support/database-door.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { systemTest } from '../support/system-tests.ts'

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

systemTest('two transactions that lock each other out both succeed in the end', async () => {
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

describe('what a transaction notes', () => {
  const nameOfFirst = () =>
    database.db.kysely
      .selectFrom('account')
      .select('name')
      .where('id', '=', FIRST)
      .executeTakeFirst()

  test('is told to the duties once it is committed, each kind of work once', async () => {
    const { kysely } = database.db
    const woken: Work[][] = []
    const found: ReturnType<typeof nameOfFirst>[] = []
    const afterCommit = {
      wake(work: ReadonlySet<Work>) {
        woken.push([...work])
        found.push(nameOfFirst())
      },
      handOver: null,
      handOverRuns: null,
    }
    await transaction({ kysely, afterCommit }, async (tx) => {
      noteWork(tx, 'runs')
      await tx.updateTable('account').set({ name: 'noted' }).where('id', '=', FIRST).execute()
      noteWork(tx, 'runs')
      noteWork(tx, 'notices')
    })
    expect(woken).toEqual([['runs', 'notices']])
    expect(await Promise.all(found)).toEqual([{ name: 'noted' }])
  })

  test('is forgotten where nothing was committed, or nothing noted', async () => {
    const { kysely } = database.db
    const afterCommit = { wake: vi.fn<() => void>(), handOver: null, handOverRuns: null }
    const given = transaction({ kysely, afterCommit }, (tx) => {
      noteWork(tx, 'runs')
      return Promise.reject(new Error('changed my mind'))
    })
    await expect(given).rejects.toThrow('changed my mind')
    await transaction({ kysely, afterCommit }, () => Promise.resolve())
    expect(afterCommit.wake).not.toHaveBeenCalled()
  })

  test('is told as well when the answer to the commit is lost', async () => {
    const door = await createDatabaseDoor(database.connection)
    const { kysely, close } = connectDatabase(door.connection)
    const afterCommit = { wake: vi.fn<() => void>(), handOver: null, handOverRuns: null }
    try {
      const given = transaction({ kysely, afterCommit }, async (tx) => {
        noteWork(tx, 'runs')
        await tx.selectFrom('account').select('id').execute()
        door.shut()
      })
      await expect(given).rejects.toThrow(/connection/i)
      expect(afterCommit.wake).toHaveBeenCalledOnce()
    } finally {
      await close()
      await door.close()
    }
  })
})
