import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import { isDatabaseAway } from '../../src/database/database-away.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  )
}

describe('the database is away', () => {
  test('when nothing listens at its port', async () => {
    // No service listens at port 1, and the system gives it to nobody.
    const db = connectDatabase({ host: '127.0.0.1', port: 1, user: 'wasla', database: 'wasla' })
    expect(isDatabaseAway(await errorOf(db.pool.query('select 1')))).toBe(true)
    await db.close()
  })

  test('when the folder of its socket does not exist', async () => {
    const db = connectDatabase({ host: '/nonexistent/socket', user: 'wasla', database: 'wasla' })
    const error = await errorOf(db.kysely.selectFrom('account').selectAll().execute())
    expect(isDatabaseAway(error)).toBe(true)
    await db.close()
  })

  test('after two seconds when it accepts connections but never answers', async () => {
    const timers = holdTimers(2_000)
    let hasConnected = false
    const server = createServer((socket) => socket.once('data', () => (hasConnected = true)))
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const db = connectDatabase({ host: '127.0.0.1', port, user: 'wasla', database: 'wasla' })
    const error = errorOf(db.pool.query('select 1'))
    await waitUntil('the connection', () => hasConnected)
    expect(timers.elapse()).toBeGreaterThan(0)
    timers.release()
    expect(isDatabaseAway(await error)).toBe(true)
    await db.close()
    server.close()
  })

  systemTest(
    'when all connections of the pool are taken for longer than the time limit',
    async () => {
      const db = connectDatabase({ ...database.connection, poolSize: 1 })
      const client = await db.pool.connect()
      expect(isDatabaseAway(await errorOf(db.pool.query('select 1')))).toBe(true)
      client.release()
      await db.close()
    },
  )

  test('when it ends a connection in the middle of a statement; the next statement works', async () => {
    const db = connectDatabase({ ...database.connection, poolSize: 1, applicationName: 'victim' })
    const client = await db.pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const sleeping = errorOf(client.query('select pg_sleep(20)'))
    await database.db.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    const error = await sleeping
    expect(isDatabaseAway(error)).toBe(true)
    client.release(error as Error)
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await db.close()
  })

  test('when it ends a connection that nobody uses: the process goes on and is told', async () => {
    const { promise: told, resolve } = Promise.withResolvers<Error>()
    const db = connectDatabase({ ...database.connection, poolSize: 1, onError: resolve })
    const { rows } = await db.pool.query('select pg_backend_pid() as pid')
    await database.db.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    expect(isDatabaseAway(await told)).toBe(true)
    expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await db.close()
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
    expect(isDatabaseAway(error)).toBe(true)
    expect(isDatabaseAway(new Error('The work failed', { cause: error }))).toBe(true)
  })
})

describe('the database is not away', () => {
  test.each([
    [
      'a unique violation',
      `insert into account (id, plan, created_at)
      select '00000000-0000-0000-0000-000000000001', 'free', now() from generate_series(1, 2)`,
    ],
    ['a wrong statement', 'selec 1'],
    ['a statement that was cancelled', `set statement_timeout = 5; select pg_sleep(5)`],
  ])('after %s', async (_name, sql) => {
    expect(isDatabaseAway(await errorOf(database.db.pool.query(sql)))).toBe(false)
  })

  test('for anything that is no error of a database', () => {
    for (const value of [
      undefined,
      null,
      'ECONNREFUSED',
      {},
      new TypeError('x is not a function'),
    ]) {
      expect(isDatabaseAway(value)).toBe(false)
    }
  })
})
