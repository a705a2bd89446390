/**
 * Restores a backup into an empty database: its tables in one transaction, then the migrations that came later. Hooks
 * stay paused and nothing is sent until the operator has decided about work that was in progress
 * (docs/decisions/0035).
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import {
  findUnreadableKeys,
  UNREADABLE_WORDS,
} from '../../../src/infra/secrets/find-unreadable-keys.ts'
import {
  createKeyRing,
  readKeys,
  type KeyRing,
  type RingKey,
} from '../../../src/infra/secrets/key-ring.ts'
import { deleteAccessTokens } from '../../../src/modules/accounts/delete-access-tokens.ts'
import { pauseSending } from '../../../src/workers/pause-sending.ts'
import type { Connection, Database } from '../../../src/infra/database/connect.ts'
import { openLongSession } from '../../../src/infra/database/long-session.ts'
import {
  migrate,
  MIGRATION_LOCK,
  readMigrationState,
  requireKnownMigrations,
} from '../../../src/infra/database/migrate.ts'
import type { FileStore } from '../../../src/modules/files/file-store.ts'
import { systemRandom } from '../../../src/core/ids.ts'
import { placeFiles } from './place-files.ts'
import { placeStored } from './place-stored.ts'
import type { Progress } from './progress.ts'
import { copyTables } from './copy-tables.ts'
import { queryBuilderOn } from './one-connection.ts'
import type { CheckedBackup } from './read-backup.ts'
import { readTables, type Table } from './tables.ts'
import { KEYS_FILE } from './write-backup.ts'

/** A checked backup, and where it is restored. */
export type Restore = {
  database: Database
  connection: Connection
  dataFolder: string
  /** The keys of the environment; null for those of the backup or of the data folder. */
  encryptionKeys: RingKey[] | null
  file: string
  /** The store of files after the restore. */
  store: FileStore
  progress: Progress
} & CheckedBackup

/**
 * Restores a checked backup into an empty database and data folder.
 * @throws when the database is not empty, the backup is of a newer version, or its secrets cannot be decrypted with
 * the given keys. The database is then as empty as before.
 */
export async function restoreBackup(restore: Restore): Promise<void> {
  const { database, connection, manifest, files, progress } = restore
  await requireKnownMigrations(manifest.migrations)
  const keyRing = await chooseKeys(restore)
  await requireEmpty(database.pool)
  const last = manifest.migrations.at(-1)?.name ?? ''
  const { applied } = await readMigrationState(database.pool)
  if (applied.some(({ name }) => name > last)) {
    throw new Error(
      `The tables in this database are newer than the backup (${last}). Nothing was changed. Restore into a database that no version has been started on`,
    )
  }
  progress.step(`tables of ${last}`)
  await migrate(database.pool, undefined, last)
  const client = await openLongSession(connection)
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query('begin')
    await load(client, restore)
    await requireKeys(client, keyRing)
    await pauseSending(queryBuilderOn(client))
    await deleteAccessTokens(queryBuilderOn(client))
    // Files first: without them the tables are worth little, and the other way round nothing is lost.
    await placeFiles(restore.dataFolder, files)
    await placeStored(restore)
    await client.query('commit')
    progress.step('all tables are written')
    await client.query('analyze')
  } finally {
    // Rolls back what was not committed, and releases the lock.
    await client.end()
  }
  const migrated = await migrate(database.pool)
  if (migrated.length > 0) progress.step(`migrated: ${migrated.join(', ')}`)
}

async function load(client: pg.Client, { file, manifest, progress }: Restore): Promise<void> {
  const tables = await readTables(client)
  const known = new Map(tables.map((table) => [table.name, table]))
  for (const { name } of manifest.tables) {
    if (!known.has(name))
      throw new Error(`The backup has a table ${name} that its version does not have`)
  }
  for (const { name } of tables) await client.query(`lock table "${name}"`)
  await requireEmpty(client)
  for (const day of manifest.days) await client.query('select make_day($1)', [day])
  const restoreReferences = await dropReferences(client, tables)
  // The backup contains the rows that migrations insert as well.
  const names = tables.map(({ name }) => `"${name}"`).join(', ')
  await client.query(`truncate ${names}`)
  await copyTables(client, { file, manifest, progress })
  await advanceSequences(client)
  progress.step('references are checked')
  for (const statement of restoreReferences) await client.query(statement)
}

/**
 * Drops foreign keys and disables triggers, so that tables can be filled in any order. Returns the statements that
 * restore both.
 */
async function dropReferences(client: pg.Client, tables: Table[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select relation.relname as table, conname as name, pg_get_constraintdef(constraints.oid) as definition
    from pg_constraint constraints join pg_class relation on relation.oid = conrelid
    where contype = 'f' and conparentid = 0
      and relation.relnamespace = current_schema()::regnamespace`,
  )
  for (const { table, name } of rows) {
    await client.query(`alter table "${table}" drop constraint "${name}"`)
  }
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  return [
    ...rows.map(
      ({ table, name, definition }) =>
        `alter table "${table}" add constraint "${name}" ${definition}`,
    ),
    ...tables.map(({ name }) => `alter table "${name}" enable trigger user`),
  ]
}

/** Sets each sequence past the largest number in the rows. */
async function advanceSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; newest: string }>(
    `select sequence.oid::regclass::text as sequence,
      string_agg(format('select max(%I) from %s', attname, attrelid::regclass), ' union all ') as newest
    from pg_class sequence
      join pg_depend on refclassid = 'pg_class'::regclass and refobjid = sequence.oid
        and classid = 'pg_attrdef'::regclass
      join pg_attrdef on pg_attrdef.oid = objid
      join pg_attribute on attrelid = adrelid and attnum = adnum
    where sequence.relkind = 'S' and sequence.relnamespace = current_schema()::regnamespace
    group by sequence.oid`,
  )
  for (const { sequence, newest } of rows) {
    await client.query(
      `select setval($1, coalesce((select max(max) from (${newest}) columns), 0) + 1, false)`,
      [sequence],
    )
  }
}

/** Checks that all tables are empty. @throws with the first table that has a row */
async function requireEmpty(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  for (const { name } of await readTables(client)) {
    const { rowCount } = await client.query(`select from "${name}" limit 1`)
    if (rowCount) {
      throw new Error(
        `The database is not empty: ${name} has rows. Nothing was changed. Restore into a new database (DATABASE_URL) or a data folder that does not exist yet (DATA_FOLDER)`,
      )
    }
  }
}

/**
 * Returns the keys of the environment, else those of the backup or the data folder.
 * @throws when the backup has secrets and there are no keys
 */
async function chooseKeys(restore: Restore): Promise<KeyRing> {
  const { encryptionKeys, dataFolder, manifest, files } = restore
  const text =
    files.get(KEYS_FILE) ?? (await readFile(path.join(dataFolder, KEYS_FILE)).catch(() => null))
  const keys = encryptionKeys ?? (text && readKeys(text.toString('utf8').trim()))
  if (keys) return createKeyRing(keys, systemRandom)
  if (manifest.keyIds.length === 0) {
    return createKeyRing([{ id: 'none', key: Buffer.alloc(32) }], systemRandom)
  }
  throw new Error(
    `The backup does not contain the keys its secrets were encrypted with (${manifest.keyIds.join(', ')}). Nothing was changed. Set ENCRYPTION_KEYS to its value when the backup was made`,
  )
}

/** Checks that the secrets of the restored rows can be decrypted. @throws with the keys that cannot */
async function requireKeys(client: pg.Client, keyRing: KeyRing): Promise<void> {
  const unreadable = await findUnreadableKeys(queryBuilderOn(client), keyRing)
  if (unreadable.length === 0) return
  const lines = unreadable.map(
    (of) => `  - key "${of.keyId}", ${of.table}.${of.column}: ${UNREADABLE_WORDS[of.reason]}`,
  )
  throw new Error(
    `The secrets in the backup cannot be read with the available keys:\n${lines.join('\n')}\nNothing was restored. Set ENCRYPTION_KEYS to its value when the backup was made; if the backup contains the keys, leave ENCRYPTION_KEYS empty`,
  )
}
