/** A server that lacks what the migrations need is refused in words. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { migrate } from '../../src/infra/database/migrate.ts'
import { EXTENSIONS, whyNoExtensions } from '../../src/infra/database/check-extensions.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase({ empty: true })
afterAll(() => database.drop())

test('a database that can have all extensions gets no message', async () => {
  expect(await whyNoExtensions(database.db.pool)).toBeNull()
})

test('a user who may make tables but no extensions reads which commands a superuser must run', async () => {
  const client = await database.db.pool.connect()
  const role = `wasla_bare_${randomBytes(4).toString('hex')}`
  onTestFinished(async () => {
    await client.query(`reset role; revoke create on schema public from ${role}; drop role ${role}`)
    client.release()
  })
  await client.query(
    `create role ${role}; grant create on schema public to ${role}; set role ${role}`,
  )
  expect(await whyNoExtensions(client)).toMatch(
    /as a superuser, .* run create extension pg_trgm; create extension btree_gist; create extension btree_gin$/,
  )
})

test('every extension that a migration creates is checked', () => {
  const folder = path.join(import.meta.dirname, '../../migrations')
  const made = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    return [...text.matchAll(/^create extension if not exists (\w+);/gm)].map(([, name]) => name)
  })
  expect(made.toSorted()).toEqual(EXTENSIONS.toSorted())
})

test('a server without an extension is refused with the missing package, and nothing is changed', async () => {
  const { pool } = database.db
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  await pool.query(`create schema bare;
    create view bare.pg_available_extensions as
      select * from pg_catalog.pg_available_extensions where name not in ('pg_trgm', 'btree_gin');
    alter database ${rows[0]!.name} set search_path = bare, pg_catalog, public`)
  const bare = connectDatabase(database.connection)
  onTestFinished(() => bare.close())
  expect(await whyNoExtensions(bare.pool)).toMatch(
    /^The database server has no pg_trgm, btree_gin: install/,
  )
  await expect(migrate(bare.pool)).rejects.toThrow('has no pg_trgm')
  const { rows: made } = await bare.pool.query(
    `select 1 from pg_tables where tablename = 'company'`,
  )
  expect(made).toEqual([])
})
