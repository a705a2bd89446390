import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import pg from 'pg'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { createTestDatabase } from '../support/database.ts'
import {
  addColumnToThings,
  createThings,
  deleteThings,
  forgetStatements,
  insertThing,
  listThings,
  readThing,
} from '../support/records/things.ts'

const made = await createTestDatabase({ empty: true })
const db = connectDatabase({ ...made.connection, poolSize: 1 })
await createThings(made.db.pool)
const things = () => listThings(made.db.pool)
// The first transaction of a connection has its beginning prepared.
await transaction(db, (tx) => insertThing(tx, 0))
afterAll(async () => {
  await db.close()
  await made.drop()
})

/** Collects the first words of the statements that the driver sends from here on. */
function collectFirstWords(): string[] {
  const texts: string[] = []
  // oxlint-disable-next-line typescript/unbound-method -- called with its own query
  const { submit } = pg.Query.prototype
  const spy = vi.spyOn(pg.Query.prototype, 'submit').mockImplementation(function (
    this: pg.Query,
    to,
  ) {
    texts.push(/^\w*/.exec((this as unknown as { text: string }).text)![0])
    submit.call(this, to)
  })
  onTestFinished(() => spy.mockRestore())
  return texts
}

test('a transaction begins with its first statement, in one round trip, and is a real transaction', async () => {
  const texts = collectFirstWords()
  const broken = transaction(db, async (tx) => {
    expect((await insertThing(tx, 1)).rows).toEqual([{ id: 1 }])
    expect((await insertThing(tx, 2)).rows).toEqual([{ id: 2 }])
    throw new Error('changed my mind')
  })
  await expect(broken).rejects.toThrow('changed my mind')
  expect(texts).toEqual(['insert', 'insert', 'rollback'])
  expect(await things()).toEqual([0])
  await transaction(db, (tx) => insertThing(tx, 1))
  expect(await things()).toEqual([0, 1])
})

test('a failed first statement aborts the transaction, and the next transaction is complete', async () => {
  await expect(transaction(db, (tx) => insertThing(tx, 0))).rejects.toMatchObject({ code: '23505' })
  await expect(transaction(db, (tx) => insertThing(tx, 'x'))).rejects.toMatchObject({
    code: '22P02',
  })
  expect(await listThings(db.pool)).toEqual([0, 1])
  await transaction(db, (tx) => insertThing(tx, 3))
  expect(await things()).toEqual([0, 1, 3])
})

test('a transaction without statements sends the server nothing', async () => {
  const texts = collectFirstWords()
  await transaction(db, () => Promise.resolve())
  await expect(transaction(db, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(texts).toEqual([])
})

test('a first statement without parameters is in the transaction as well', async () => {
  const broken = transaction(db, async (tx) => {
    await deleteThings(tx)
    throw new Error('changed my mind')
  })
  await expect(broken).rejects.toThrow('changed my mind')
  expect(await things()).toEqual([0, 1, 3])
})

test('the first statement is not made if the transaction cannot begin', async () => {
  const other = connectDatabase({ ...made.connection, poolSize: 1 })
  onTestFinished(() => other.close())
  await transaction(other, (tx) => readThing(tx, 0))
  await forgetStatements(other.pool)
  await expect(transaction(other, (tx) => insertThing(tx, 9))).rejects.toMatchObject({
    code: '26000',
  })
  expect(await things()).toEqual([0, 1, 3])
})

test('a statement that a migration has changed fails once, and the transaction is begun again', async () => {
  await transaction(db, (tx) => readThing(tx, 0))
  await addColumnToThings(made.db.pool)
  const { rows } = await transaction(db, (tx) => readThing(tx, 0))
  expect(rows).toEqual([{ id: 0, size: null }])
})
