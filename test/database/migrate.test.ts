import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { migrate, MIGRATION_LOCK } from '../../src/infra/database/migrate.ts'
import { createTestDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { countWaiting } from '../support/records/locks.ts'
import { recordsIn } from '../support/records/records.ts'
import { systemTest } from '../support/system-tests.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'wasla-migrations-'))
  await write('0001_first.sql', `create table first (id integer); insert into first values (1);`)
  await write('0002_second.sql', 'create table second (id integer)')
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
const run = () => migrate(database.db.pool, folder)

async function tables(): Promise<string[]> {
  const { rows } = await database.db.pool.query(
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map((row) => row.tablename)
}

describe('migrate', () => {
  systemTest("runs the project's own migrations on an empty database", async () => {
    expect((await migrate(database.db.pool)).length).toBeGreaterThan(3)
    expect(await tables()).toContain('webhook_delivery')
    expect(await migrate(database.db.pool)).toEqual([])
  })

  systemTest('applies each file once, in the order of the numbers', async () => {
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql'])
    await write('0003_third.sql', 'create table third (id integer)')
    expect(await run()).toEqual(['0003_third.sql'])
    expect(await run()).toEqual([])
    expect(await tables()).toEqual(['first', 'schema_migration', 'second', 'third'])
  })

  systemTest('two nodes that start together do it once', async () => {
    const other = connectDatabase(database.connection)
    const done = await Promise.all([run(), migrate(other.pool, folder)])
    await other.close()
    expect(done.flat()).toEqual(['0001_first.sql', '0002_second.sql'])
    const { rows } = await database.db.pool.query('select count(*) as count from first')
    expect(rows).toEqual([{ count: 1 }])
  })

  systemTest('waits for a held table in short turns: others get by', async () => {
    await run()
    await write('0003_third.sql', 'alter table first add column name text')
    const holder = await database.db.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select * from first')
      const migrated = run()
      const waiting = () => countWaiting(recordsIn(database.db))
      await expect.poll(waiting).toBe(1)
      // It gives up its place although the holder continues, and sooner than other lock waits time out.
      await expect.poll(waiting).toBe(0)
      await holder.query('commit')
      expect(await migrated).toEqual(['0003_third.sql'])
    } finally {
      holder.release()
    }
  })

  test('does not wait for a backup in progress when there is nothing to do', async () => {
    await run()
    const backup = await database.db.pool.connect()
    try {
      await backup.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
      expect(await run()).toEqual([])
    } finally {
      backup.release(true)
    }
  })

  test('a file that fails leaves nothing behind and is named', async () => {
    await write('0002_second.sql', 'create table second (id integer); select 1 / 0')
    await expect(run()).rejects.toThrow('Migration 0002_second.sql failed: division by zero')
    expect(await tables()).toEqual(['first', 'schema_migration'])
    await write('0002_second.sql', 'create table second (id integer)')
    expect(await run()).toEqual(['0002_second.sql'])
  })

  test('a file that has changed since it was applied is refused, and nothing is changed', async () => {
    await run()
    await write('0001_first.sql', 'create table first (id bigint)')
    await write('0003_third.sql', 'create table third (id integer)')
    await expect(run()).rejects.toThrow('Migration 0001_first.sql has changed since it was applied')
    expect(await tables()).not.toContain('third')
  })

  test('line endings of another system do not count as a change', async () => {
    await write('0002_second.sql', 'create table second (\n  id integer\n)')
    await run()
    await write('0002_second.sql', 'create table second (\r\n  id integer\r\n)')
    expect(await run()).toEqual([])
  })

  test('a database newer than the code is refused, and nothing is changed', async () => {
    await write('0003_third.sql', 'create table third (id integer)')
    await run()
    await rm(join(folder, '0003_third.sql'))
    await write('0004_fourth.sql', 'create table fourth (id integer)')
    await expect(run()).rejects.toThrow(
      'The database is newer than this version of Wasla: it has 0003_third.sql',
    )
    expect(await tables()).not.toContain('fourth')
  })

  test('a database that was made by other migrations is refused, and nothing is changed', async () => {
    await run()
    await rm(join(folder, '0001_first.sql'))
    await rm(join(folder, '0002_second.sql'))
    await write('0001_another.sql', 'create table another (id integer)')
    await expect(run()).rejects.toThrow(
      'not of a released version of Wasla: this version knows none of its migrations, from 0001_first.sql on',
    )
    expect(await tables()).not.toContain('another')
  })

  test('a file that comes before an applied one is refused, and so is a name without a number', async () => {
    await run()
    await write('0001_also.sql', 'select 1')
    await expect(run()).rejects.toThrow('Migration 0001_also.sql comes before 0002_second.sql')
    await write('third.sql', 'select 1')
    await expect(run()).rejects.toThrow('0001_what_it_does.sql')
  })
})
