import { sql, type Transaction } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { notifyAfterCommit, type QueueName } from '../../src/infra/database/after-commit.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import type { DB } from '../../src/infra/database/tables.ts'
import { confirmedTransaction } from '../../src/infra/database/confirmed-transaction.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { oldestIdAt } from '../../src/core/ids.ts'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { accountOf, addAccount } from '../support/records/accounts.ts'
import { isThere } from '../support/records/any-table.ts'
import { recordsIn } from '../support/records/records.ts'
import { systemTest } from '../support/system-tests.ts'

const FIRST = '00000000-0000-7000-8000-000000000001'
const SECOND = '00000000-0000-7000-8000-000000000002'

const database = await createTestDatabase()
afterAll(() => database.drop())
const records = recordsIn(database.db)
for (const id of [FIRST, SECOND]) await addAccount(records, { id })
const nameOf = async (accountId: string) => (await accountOf(records, { accountId })).name

const rename = (tx: Transaction<DB>, id: string, name: string) =>
  tx.updateTable('account').set({ name }).where('id', '=', id).execute()

systemTest('two transactions in a deadlock both succeed in the end', async () => {
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  let runs = 0
  const renameBoth = (name: string, ids: string[]) =>
    transaction(database.db, async (tx) => {
      runs++
      for (const id of ids) {
        await rename(tx, id, name)
        if (++holding >= 2) bothHoldOne.resolve()
        await bothHoldOne.promise
      }
      return name
    })
  const names = await Promise.all([
    renameBoth('one', [FIRST, SECOND]),
    renameBoth('two', [SECOND, FIRST]),
  ])
  expect(names).toEqual(['one', 'two'])
  expect(runs).toBe(3)
  expect(await nameOf(FIRST)).toBe(await nameOf(SECOND))
})

test('a transaction that is aborted every time is given up after five repeats', async () => {
  let runs = 0
  const work = transaction(database.db, async () => {
    runs++
    throw Object.assign(new Error('could not serialize access'), { code: '40001' })
  })
  await expect(work).rejects.toThrow('could not serialize access')
  expect(runs).toBe(6)
})

test('a transaction repeats when a customer turns out to be a contact, and keeps what it then finds', async () => {
  let runs = 0
  const met = transaction(database.db, async (tx) => {
    await rename(tx, FIRST, `met ${++runs}`)
    if (runs === 1) {
      const taken = { code: '23505', constraint: 'contact_whatsapp_id' }
      throw Object.assign(new Error('duplicate key value'), taken)
    }
    return runs
  })
  expect(await met).toBe(2)
  expect(await nameOf(FIRST)).toBe('met 2')
})

test('any other error ends it immediately, and nothing is kept', async () => {
  let runs = 0
  const work = transaction(database.db, async (tx) => {
    runs++
    await rename(tx, FIRST, 'lost')
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  expect(runs).toBe(1)
  expect(await nameOf(FIRST)).not.toBe('lost')
})

test('transactions are read committed', async () => {
  const level = await transaction(database.db, async (tx) => {
    const { rows } = await sql`show transaction_isolation`.execute(tx)
    return rows[0]
  })
  expect(level).toEqual({ transactionIsolation: 'read committed' })
})

describe('notifications of a transaction', () => {
  test('reach the workers once it is committed, each queue once', async () => {
    const { kysely } = database.db
    const woken: QueueName[][] = []
    const found: ReturnType<typeof nameOf>[] = []
    const afterCommit = {
      notify(work: ReadonlySet<QueueName>) {
        woken.push([...work])
        found.push(nameOf(FIRST))
      },
      releaseClaims() {},
      deliveryDispatcher: null,
      runDispatcher: null,
    }
    await transaction({ kysely, afterCommit }, async (tx) => {
      notifyAfterCommit(tx, 'runs')
      await rename(tx, FIRST, 'noted')
      notifyAfterCommit(tx, 'runs')
      notifyAfterCommit(tx, 'notices')
    })
    expect(woken).toEqual([['runs', 'notices']])
    expect(await Promise.all(found)).toEqual(['noted'])
  })

  test('are discarded if nothing was committed, or nothing registered', async () => {
    const { kysely } = database.db
    const afterCommit = {
      notify: vi.fn<() => void>(),
      releaseClaims() {},
      deliveryDispatcher: null,
      runDispatcher: null,
    }
    const given = transaction({ kysely, afterCommit }, (tx) => {
      notifyAfterCommit(tx, 'runs')
      return Promise.reject(new Error('changed my mind'))
    })
    await expect(given).rejects.toThrow('changed my mind')
    await transaction({ kysely, afterCommit }, () => Promise.resolve())
    expect(afterCommit.notify).not.toHaveBeenCalled()
  })

  test('are also sent when the answer to the commit is lost', async () => {
    const proxy = await createDatabaseProxy(database.connection)
    const { kysely, close } = connectDatabase(proxy.connection)
    const afterCommit = {
      notify: vi.fn<() => void>(),
      releaseClaims() {},
      deliveryDispatcher: null,
      runDispatcher: null,
    }
    onTestFinished(() => proxy.close())
    onTestFinished(() => close())
    const given = transaction({ kysely, afterCommit }, async (tx) => {
      notifyAfterCommit(tx, 'runs')
      await rename(tx, FIRST, 'lost')
      proxy.shut()
    })
    await expect(given).rejects.toThrow(/connection/i)
    expect(afterCommit.notify).toHaveBeenCalledOnce()
  })
})

type Told = Error & { detail?: string }

const inEnglish = (error: Told): never => {
  throw error
}

/** Phrases an error like a server whose `lc_messages` is French. */
function inFrench(error: Told): never {
  error.message = 'aucune partition de la relation « event_body » trouvée pour la ligne'
  error.detail = error.detail!.replace(
    'Partition key of the failing row contains',
    'La clé de partitionnement de la ligne en échec contient',
  )
  throw error
}

test.each<[string, string, (error: Told) => never]>([
  ['English', '2031-03-01', inEnglish],
  ['another language', '2031-03-02', inFrench],
])('a missing partition of a day is made for a write, in %s', async (_, day, asTold) => {
  const id = oldestIdAt(new Date(`${day}T12:00:00Z`))
  await transaction(database.db, (tx) =>
    sql`insert into event_body (id, api_version, body) values (${id}, '2026-10', '')`
      .execute(tx)
      .catch(asTold),
  )
  const place = { table: 'event_body', column: 'id', id }
  expect(await isThere(records, place)).toBe(true)
})

describe('A write that is recorded ahead', () => {
  /** Writes a name by a connection that is cut at the commit: before it, or before its answer. */
  async function writeLosing(name: string, isCommitted: boolean) {
    const proxy = await startLosingProxy(database.connection)
    const behind = connectDatabase(proxy.connection)
    let runs = 0
    onTestFinished(() => proxy.close())
    onTestFinished(() => behind.close())
    if (isCommitted) void proxy.loseAnswerTo(/^update "account"/)
    else proxy.cutBefore(/^commit/i)
    return await confirmedTransaction(behind, async (tx) => {
      runs += 1
      await rename(tx, FIRST, name)
      return `${name} ${runs}`
    })
  }

  test('is known to be committed, although the answer was lost', async () => {
    expect(await writeLosing('kept', true)).toBe('kept 1')
    expect(await nameOf(FIRST)).toBe('kept')
  })

  test('is not taken for committed when it was not', async () => {
    const before = await nameOf(FIRST)
    await expect(writeLosing('lost', false)).rejects.toThrow(/connection/i)
    expect(await nameOf(FIRST)).toBe(before)
  })
})
