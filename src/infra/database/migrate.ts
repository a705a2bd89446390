import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { whyNoExtensions } from './check-extensions.ts'

type Migration = { name: string; sql: string; checksum: string }

const PROJECT_MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
/**
 * An arbitrary number that no other program uses. A backup takes the same lock: a change of tables would wait for the
 * backup, and everything else for the change.
 */
export const MIGRATION_LOCK = 7_310_001
/** Longest wait for a table's lock. Other queries wait behind it, so the migration is then retried a little later. */
const TABLE_LOCK_MS = 3_000
const MAX_RETRIES = 60
const PAUSE_MS = 1_000
/** SQL states after which a migration is retried: deadlock, lock not available. */
const RETRIED_STATES = ['40P01', '55P03']
/** The driver's own time limit does not suit a migration of a large table. */
const NO_QUERY_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Applies one migration while other nodes run. A change of a table waits for its users, and later users wait behind
 * it. So it waits only briefly and then retries, also after a deadlock.
 */
async function apply(
  run: (text: string, values?: unknown[]) => Promise<unknown>,
  { name, sql, checksum }: Migration,
): Promise<void> {
  for (let retries = 0; ; retries += 1) {
    try {
      await run('begin')
      // Without parameters the driver sends the text unchanged: a file may contain many statements.
      await run(sql)
      await run('insert into schema_migration (name, checksum) values ($1, $2)', [name, checksum])
      await run('commit')
      return
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (retries === MAX_RETRIES || !RETRIED_STATES.includes(code ?? '')) {
        throw new Error(`Migration ${name} failed: ${message}`, { cause: error })
      }
      await run('rollback')
      await pause(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

/** The state of a database compared with the files of a folder. */
export type MigrationState = {
  /** Applied migrations of the folder, with their checksums from when they were applied. */
  applied: AppliedMigration[]
  /** Migrations of the folder that are not applied yet. */
  pending: string[]
}

export type AppliedMigration = { name: string; checksum: string }

/**
 * Brings the database to the state of the `*.sql` files of the folder: forward only, in numeric order, each in its
 * own transaction, up to `last` if given. Nodes that start together take turns; without pending files none waits.
 * Returns the names that were applied.
 *
 * @throws without a change when an applied file has changed, or when the database has migrations that the folder
 * lacks, or none of the folder's
 */
export async function migrate(
  pool: pg.Pool,
  folder = PROJECT_MIGRATIONS,
  last?: string,
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).filter(
    ({ name }) => last === undefined || name <= last,
  )
  const client = await pool.connect()
  const run = (text: string, values: unknown[] = []) =>
    client.query({ text, values, query_timeout: NO_QUERY_TIMEOUT_MS } as pg.QueryConfig)
  try {
    if (pendingMigrations(migrations, await readApplied(client)).length === 0) return []
    await run(
      `select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
        set_config('idle_in_transaction_session_timeout', '0', false)`,
    )
    await run('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const pending = pendingMigrations(migrations, await readApplied(client))
    const why = await whyNoExtensions(client)
    if (why !== null) throw new Error(why)
    await run(`create table if not exists schema_migration (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    await run(`select set_config('lock_timeout', $1, false)`, [String(TABLE_LOCK_MS)])
    for (const migration of pending) await apply(run, migration)
    return pending.map((migration) => migration.name)
  } finally {
    // Destroyed instead of returned to the pool: it has no timeouts, and closing it also releases the lock.
    client.release(true)
  }
}

/**
 * Returns the state of the database compared with the files of the folder, and changes nothing. @throws as `migrate`
 * does
 */
export async function readMigrationState(
  queryable: Queryable,
  folder = PROJECT_MIGRATIONS,
): Promise<MigrationState> {
  const migrations = await readMigrations(folder)
  const applied = await readApplied(queryable)
  const pending = pendingMigrations(migrations, applied)
  return { applied, pending: pending.map(({ name }) => name) }
}

/**
 * Checks that the folder's files can upgrade a database with these migrations. @throws when the database is newer, or
 * when a file has changed
 */
export async function requireKnownMigrations(
  applied: AppliedMigration[],
  folder = PROJECT_MIGRATIONS,
): Promise<void> {
  pendingMigrations(await readMigrations(folder), applied)
}

type Queryable = Pick<pg.ClientBase, 'query'>

async function readApplied(queryable: Queryable): Promise<AppliedMigration[]> {
  const { rowCount } = await queryable.query(
    `select 1 where to_regclass('schema_migration') is not null`,
  )
  if (!rowCount) return []
  const { rows } = await queryable.query<AppliedMigration>(
    'select name, checksum from schema_migration order by name',
  )
  return rows
}

function pendingMigrations(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  const unknown = applied.filter((row) => !byName.has(row.name)).map((row) => row.name)
  if (unknown.length > 0 && unknown.length === applied.length) {
    throw new Error(
      `The database is not of a released version of Wasla: this version knows none of its migrations, from ${unknown[0]} ` +
        'on. It cannot be upgraded, and nothing was changed. Go on with the code that made it, or start with an ' +
        'empty database or data folder (docs/guides/upgrading.md)',
    )
  }
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this version of Wasla: it has ${unknown.join(', ')}. ` +
        'Nothing was changed. Start the newer version; the way back is a backup from before the ' +
        'upgrade, restored into an empty database (docs/guides/upgrading.md)',
    )
  }
  const changed = applied.filter((row) => byName.get(row.name)!.checksum !== row.checksum)
  if (changed.length > 0) {
    throw new Error(
      `Migration ${changed.map((row) => row.name).join(', ')} has changed since it was applied. ` +
        'Applied migrations never change: put the file back and write a new one',
    )
  }
  const appliedNames = new Set(applied.map((row) => row.name))
  const last = applied.at(-1)?.name ?? ''
  const pending = migrations.filter((migration) => !appliedNames.has(migration.name))
  const late = pending.find((migration) => migration.name < last)
  if (late) {
    throw new Error(
      `Migration ${late.name} comes before ${last}, which is applied already. ` +
        'Give it a number after the last one',
    )
  }
  return pending
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      if (!FILE_NAME.test(name)) {
        throw new Error(`Migration ${name}: the name must be like 0001_what_it_does.sql`)
      }
      // A checkout that converts line ends to CRLF is no change.
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
