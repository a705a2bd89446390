/** The connections of a pool: their settings, the values that they return, and an unavailable database. */
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import { listen } from '../../src/infra/database/listen.ts'
import { openLongSession } from '../../src/infra/database/long-session.ts'
import { readSample, setDefaults } from '../support/strange-server.ts'
import { createTestDatabase } from '../support/database.ts'
import { addAccount, addCompany } from '../support/records/accounts.ts'
import { addContact, contactOf } from '../support/records/contacts.ts'
import { addFile, fileOf } from '../support/records/files.ts'
import { recordsIn } from '../support/records/records.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )

/** Connects with one connection, until the test ends. */
function connect(to: Partial<Parameters<typeof connectDatabase>[0]> = {}) {
  const db = connectDatabase({ ...database.connection, poolSize: 1, ...to })
  onTestFinished(() => db.close())
  return db
}

describe('the database is unavailable', () => {
  test.each([
    // No service listens at port 1, and the system never assigns it.
    ['nothing listens at its port', { host: '127.0.0.1', port: 1 }],
    ['the folder of its socket does not exist', { host: '/nonexistent/socket' }],
  ])('when %s', async (_, where) => {
    const { pool } = connect({ ...where, user: 'wasla', database: 'wasla' })
    expect(isDatabaseUnavailable(await errorOf(pool.query('select 1')))).toBe(true)
  })

  test('after two seconds when it accepts connections but never answers', async () => {
    const timers = holdTimers(2_000)
    let hasConnected = false
    const server = createServer((socket) => socket.once('data', () => (hasConnected = true)))
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const db = connect({ host: '127.0.0.1', port, user: 'wasla', database: 'wasla' })
    const error = errorOf(db.pool.query('select 1'))
    await waitUntil('the connection', () => hasConnected)
    expect(timers.elapse()).toBeGreaterThan(0)
    timers.release()
    expect(isDatabaseUnavailable(await error)).toBe(true)
    server.close()
  })

  systemTest('when all connections are in use for longer than the time limit', async () => {
    const { pool } = connect({})
    const client = await pool.connect()
    expect(isDatabaseUnavailable(await errorOf(pool.query('select 1')))).toBe(true)
    client.release()
  })

  test('when it ends a connection in the middle of a statement; the next statement works', async () => {
    const db = connect({ applicationName: 'victim' })
    const client = await db.pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const sleeping = errorOf(client.query('select pg_sleep(20)'))
    await database.db.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    const error = await sleeping
    expect(isDatabaseUnavailable(error)).toBe(true)
    client.release(error as Error)
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('when it ends an idle connection: the process continues, and the error handler is called', async () => {
    const told: Error[] = []
    const onError = (error: Error) => void told.push(error)
    const db = connect({ onError })
    const { rows } = await db.pool.query('select pg_backend_pid() as pid')
    await database.db.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    await waitUntil('the fault', () => told.length > 0)
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(told.map(isDatabaseUnavailable)).toEqual([true])
    expect(Object.keys(told[0]!)).not.toContain('client')
  })

  test.each([
    ['57P01', 'admin_shutdown'],
    ['57P02', 'crash_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['53300', 'too_many_connections'],
    ['08006', 'connection_failure'],
    ['25006', 'read_only_sql_transaction'],
  ])('when it says %s (%s)', (code) => {
    const error = Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(isDatabaseUnavailable(new Error('The work failed', { cause: error }))).toBe(true)
  })
})

describe('the database is not unavailable', () => {
  test.each([
    [
      'a unique violation',
      `insert into account (id, plan, created_at)
      select '00000000-0000-0000-0000-000000000001', 'free', now() from generate_series(1, 2)`,
    ],
    ['a wrong statement', 'selec 1'],
    ['a statement that was cancelled', `set statement_timeout = 5; select pg_sleep(5)`],
  ])('after %s', async (_name, statement) => {
    expect(isDatabaseUnavailable(await errorOf(database.db.pool.query(statement)))).toBe(false)
  })

  test('for any error that is not from a database', () => {
    const mistake = new TypeError('x is not a function')
    for (const value of [undefined, null, 'ECONNREFUSED', {}, mistake]) {
      expect(isDatabaseUnavailable(value)).toBe(false)
    }
  })
})

describe('every connection', () => {
  test('has JIT off, the time zone UTC and a limit on every kind of wait', async () => {
    const settings = {
      jit: 'off',
      TimeZone: 'UTC',
      statement_timeout: '30000',
      lock_timeout: '10000',
      idle_in_transaction_session_timeout: '30000',
    }
    const { rows } = await database.db.pool.query(
      `select name, setting from pg_settings where name = any($1)`,
      [Object.keys(settings)],
    )
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual(settings)
  })

  systemTest('is waited for while in use, and longer than for an absent server', async () => {
    const db = connect()
    const inUse = db.pool.query('select pg_sleep(2.2)')
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await inUse
  })

  test('is named after its application', async () => {
    const { pool } = connect({ applicationName: 'wasla http' })
    const { rows } = await pool.query(`select current_setting('application_name') as name`)
    expect(rows).toEqual([{ name: 'wasla http' }])
  })
})

describe('values', () => {
  test('bigints are numbers where these suffice, instants are Dates, and bytes and text arrays are kept', async () => {
    const { rows } = await database.db.pool.query(
      'select count(*) as count, 9007199254740993 as large from generate_series(1, 3)',
    )
    expect(rows).toEqual([{ count: 3, large: 9007199254740993n }])
    const records = recordsIn(database.db)
    const accountId = await addAccount(records)
    const createdAt = new Date('2026-03-29T01:30:00.123Z')
    const shop = await addCompany(records, { accountId })
    const tags = ['webhook', 'a "b", {c}', 'وصلة']
    const contactId = await addContact(records, shop, { tags, createdAt })
    expect(await contactOf(records, contactId)).toMatchObject({ tags, createdAt })
    const sha256 = Buffer.from([0, 255, 10, 13, 92])
    const fileId = await addFile(records, shop, { sha256 })
    expect((await fileOf(records, fileId))!.sha256).toEqual(sha256)
  })

  test('keys inside a JSON value stay unchanged', async () => {
    const { rows } = await sql<{ someValue: unknown }>`
      select '{"order_id": {"line_items": 1}}'::jsonb as some_value`.execute(database.db.kysely)
    expect(rows).toEqual([{ someValue: { order_id: { line_items: 1 } } }])
  })
})

test('a connection whose statement was not answered is not used again', async () => {
  const db = connect()
  const client = await db.pool.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const unanswered = client.query('select pg_sleep(20)').catch((error: unknown) => error)
  client.release()
  const next = await db.pool.query('select pg_backend_pid() as pid')
  expect(next.rows[0].pid).not.toBe(rows[0].pid)
  expect(await unanswered).toBeInstanceOf(Error)
})

describe('under any settings of the server, the database or the role', () => {
  const STRANGE = {
    datestyle: 'German, DMY',
    intervalstyle: 'iso_8601',
    timezone: 'Asia/Kabul',
    bytea_output: 'escape',
    extra_float_digits: '-3',
    standard_conforming_strings: 'off',
    default_transaction_isolation: 'serializable',
    idle_session_timeout: '50',
    transform_null_equals: 'on',
  }
  test('pools, long sessions and listeners read the same values', async () => {
    const strange = await createTestDatabase({ empty: true })
    onTestFinished(() => strange.drop())
    const plain = await readSample(connect().pool)
    await setDefaults(strange, STRANGE)
    expect(await readSample(connect(strange.connection).pool)).toEqual(plain)
    const session = await openLongSession(strange.connection)
    expect(await readSample(session)).toEqual(plain)
    await session.end()
    const heard = Promise.withResolvers<unknown[]>()
    const listener = listen(strange.connection, {
      channels: ['any'],
      onConnected: async (listening) => heard.resolve(await readSample(listening)),
      onNotification: () => {},
      onReconnected: () => {},
    })
    expect(await heard.promise).toEqual(plain)
    await listener.close()
  })
})
