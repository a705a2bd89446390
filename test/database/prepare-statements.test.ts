import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../src/database/connect.ts'
import { PLANNED_EACH_TIME } from '../../src/database/prepare-statements.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let made: TestDatabase
let db: Database
beforeAll(async () => {
  made = await createTestDatabase({ empty: true })
  db = connectDatabase({ ...made.connection, poolSize: 1 })
  await db.pool.query('create table thing (id int, name text)')
})
afterAll(async () => {
  await db.close()
  await made.drop()
})

const prepared = async () => {
  const { rows } = await db.pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements',
  )
  return rows.map((row) => row.statement)
}

test('a statement with parameters is prepared once for a connection', async () => {
  for (const id of [1, 2, 3]) {
    await db.pool.query('insert into thing values ($1, $2)', [id, `thing ${id}`])
  }
  expect((await prepared()).filter((text) => text.startsWith('insert into thing'))).toHaveLength(1)
})

test('after a migration by another node a statement fails once and then works again', async () => {
  const read = () => db.pool.query('select * from thing where id = $1', [1])
  expect((await read()).rows).toEqual([{ id: 1, name: 'thing 1' }])
  await made.db.pool.query('alter table thing add column size int')
  await expect(read()).rejects.toMatchObject({ code: '0A000' })
  expect((await read()).rows).toEqual([{ id: 1, name: 'thing 1', size: null }])
})

test('and not once more on each other connection', async () => {
  const two = connectDatabase({ ...made.connection, poolSize: 2 })
  const read = () => two.pool.query('select * from thing where id = $1', [1])
  await Promise.all([read(), read()])
  await made.db.pool.query('alter table thing add column colour text')
  await expect(read()).rejects.toMatchObject({ code: '0A000' })
  const found = await Promise.all([read(), read()])
  expect(found.map(({ rows }) => rows[0].colour)).toEqual([null, null])
  await two.close()
})

test('a statement whose form depends on what was asked is not prepared', async () => {
  await db.pool.query(`${PLANNED_EACH_TIME} select * from thing where name = $1`, ['x'])
  expect((await prepared()).filter((text) => text.includes('name = $1'))).toEqual([])
})

test('texts without end are not all prepared', async () => {
  for (let length = 1; length <= 450; length += 1) {
    const places = Array.from({ length }, (_, place) => `$${place + 1}::int`).join(', ')
    await db.pool.query(`select count(*) from thing where id in (${places})`, Array(length).fill(1))
  }
  expect((await prepared()).length).toBeLessThanOrEqual(400)
})
