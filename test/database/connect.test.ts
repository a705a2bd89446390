import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDay } from '../../src/database/missing-day.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { systemTest } from '../support/system-tests.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const COMPANY = '00000000-0000-7000-8000-000000000001'

describe('every connection', () => {
  test('has JIT off, the time zone UTC and a limit on every kind of waiting', async () => {
    const { rows } = await database.db.pool.query(
      `select name, setting from pg_settings where name = any($1) order by name`,
      [
        [
          'jit',
          'TimeZone',
          'statement_timeout',
          'lock_timeout',
          'idle_in_transaction_session_timeout',
        ],
      ],
    )
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      jit: 'off',
      TimeZone: 'UTC',
      statement_timeout: '30000',
      lock_timeout: '10000',
      idle_in_transaction_session_timeout: '30000',
    })
  })

  systemTest('that is in use is waited for longer than an absent server is', async () => {
    const db = connectDatabase({ ...database.connection, poolSize: 1 })
    const inUse = db.pool.query('select pg_sleep(2.2)')
    const { rows } = await db.pool.query('select 1 as one')
    expect(rows).toEqual([{ one: 1 }])
    await inUse
    await db.close()
  })

  test('is named after its application', async () => {
    const db = connectDatabase({ ...database.connection, applicationName: 'wasla http' })
    const { rows } = await db.pool.query(`select current_setting('application_name') as name`)
    expect(rows).toEqual([{ name: 'wasla http' }])
    await db.close()
  })
})

describe('values', () => {
  test('a bigint is a number where a number can hold it, else a bigint', async () => {
    const { rows } = await database.db.pool.query(
      'select count(*) as count, 9007199254740993 as large from generate_series(1, 3)',
    )
    expect(rows).toEqual([{ count: 3, large: 9007199254740993n }])
  })

  test('an instant is a Date, bytes are a Buffer, a text array is an array', async () => {
    const { kysely } = database.db
    const createdAt = new Date('2026-03-29T01:30:00.123Z')
    await kysely
      .insertInto('account')
      .values({ id: COMPANY, plan: 'business', createdAt })
      .execute()
    await kysely
      .insertInto('company')
      .values({ id: COMPANY, accountId: COMPANY, createdAt })
      .execute()
    await kysely
      .insertInto('contact')
      .values({
        id: COMPANY,
        companyId: COMPANY,
        tags: ['webhook', 'a "b", {c}', 'وصلة'],
        createdAt,
        updatedAt: createdAt,
      })
      .execute()
    await makeDay(kysely, new Date(Number.parseInt(COMPANY.replace('-', '').slice(0, 12), 16)))
    await kysely
      .insertInto('event')
      .values({ id: COMPANY, companyId: COMPANY, type: 'x', occurredAt: createdAt })
      .execute()
    const body = Buffer.from([0, 255, 10, 13, 92])
    await kysely
      .insertInto('eventBody')
      .values({ id: COMPANY, apiVersion: '2026-01-01', body })
      .execute()

    const contact = await kysely.selectFrom('contact').selectAll().executeTakeFirstOrThrow()
    expect(contact.tags).toEqual(['webhook', 'a "b", {c}', 'وصلة'])
    expect(contact.createdAt).toEqual(createdAt)
    const stored = await kysely.selectFrom('eventBody').select('body').executeTakeFirstOrThrow()
    expect(stored.body).toEqual(body)
  })

  test('keys inside a JSON value stay as they are', async () => {
    const { rows } = await sql<{ someValue: unknown }>`
      select '{"order_id": {"line_items": 1}}'::jsonb as some_value`.execute(database.db.kysely)
    expect(rows).toEqual([{ someValue: { order_id: { line_items: 1 } } }])
  })
})

test('a connection whose statement has no answer is not used again', async () => {
  const db = connectDatabase({ ...database.connection, poolSize: 1 })
  const client = await db.pool.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const unanswered = client.query('select pg_sleep(20)').catch((error: unknown) => error)
  client.release()
  const next = await db.pool.query('select pg_backend_pid() as pid')
  expect(next.rows[0].pid).not.toBe(rows[0].pid)
  expect(await unanswered).toBeInstanceOf(Error)
  await db.close()
})

test('a connection that breaks while nobody uses it is told of by its error alone', async () => {
  const broken: Error[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const db = connectDatabase({
    ...database.connection,
    poolSize: 1,
    onError(error) {
      broken.push(error)
      resolve()
    },
  })
  const { rows } = await db.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  await database.db.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await promise
  expect(broken).toHaveLength(1)
  expect(Object.keys(broken[0]!)).not.toContain('client')
  await db.close()
})
