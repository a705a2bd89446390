import type pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { PLANNED_EACH_TIME } from '../../src/infra/database/prepare-statements.ts'
import { createTestDatabase } from '../support/database.ts'
import { systemTest } from '../support/system-tests.ts'

const made = await createTestDatabase({ empty: true })
const db = connectDatabase({ ...made.connection, poolSize: 1 })
await db.pool.query('create table thing (id int, name text)')
afterAll(async () => {
  await db.close()
  await made.drop()
})

const prepared = async (of = db) =>
  (await of.pool.query('select statement from pg_prepared_statements')).rows.map(
    ({ statement }: { statement: string }) => statement,
  )
const readOn = (on: Pick<pg.ClientBase, 'query'>) =>
  on.query('select * from thing where id = $1', [1])

test('a statement with parameters is prepared once for a connection', async () => {
  for (const id of [1, 2, 3]) {
    await db.pool.query('insert into thing values ($1, $2)', [id, `thing ${id}`])
  }
  expect((await prepared()).filter((text) => text.startsWith('insert into thing'))).toHaveLength(1)
})

test('a migration by another node does not affect a statement outside of a transaction', async () => {
  expect((await readOn(db.pool)).rows).toEqual([{ id: 1, name: 'thing 1' }])
  await made.db.pool.query('alter table thing add column size int')
  expect((await readOn(db.pool)).rows).toEqual([{ id: 1, name: 'thing 1', size: null }])
  const client = await db.pool.connect()
  onTestFinished(() => client.release())
  await made.db.pool.query('alter table thing add column weight int')
  const { rows } = await readOn(client)
  expect(rows).toEqual([{ id: 1, name: 'thing 1', size: null, weight: null }])
})

test('a changed statement fails once in a transaction, and not again on each other connection', async () => {
  const two = connectDatabase({ ...made.connection, poolSize: 2 })
  onTestFinished(() => two.close())
  const clients = [await two.pool.connect(), await two.pool.connect()] as const
  for (const client of clients) {
    onTestFinished(async () => {
      await client.query('rollback')
      client.release()
    })
    await readOn(client)
    await client.query('begin')
  }
  await made.db.pool.query('alter table thing add column colour text')
  await expect(readOn(clients[0])).rejects.toMatchObject({ code: '0A000' })
  expect((await readOn(clients[1])).rows[0].colour).toBe(null)
})

test('a statement whose form depends on its input is not prepared', async () => {
  await db.pool.query(`${PLANNED_EACH_TIME} select * from thing where name = $1`, ['x'])
  expect((await prepared()).filter((text) => text.includes('name = $1'))).toEqual([])
})

systemTest('endlessly many texts are not all prepared', async () => {
  const fresh = connectDatabase({ ...made.connection, poolSize: 1 })
  for (let length = 1; length <= 450; length += 1) {
    const places = Array.from({ length }, (_, place) => `$${place + 1}::int`).join(', ')
    const text = `select count(*) from thing where id in (${places})`
    await fresh.pool.query(text, Array(length).fill(1))
  }
  expect((await prepared(fresh)).length).toBe(400)
  await fresh.close()
})
