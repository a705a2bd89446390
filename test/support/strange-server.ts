/** A database whose sessions begin with settings that no driver expects, and sample values read in one. */
import type pg from 'pg'
import type { TestDatabase } from './database.ts'

/** Sets what every session of the database begins with. */
export async function setDefaults(
  { db, connection }: TestDatabase,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await db.pool.query(`alter database "${connection.database}" set ${name} = '${value}'`)
  }
}

/** Reads a value of each kind that a setting formats in another way, and other settings of the session. */
export async function readSample(session: Pick<pg.ClientBase, 'query'>): Promise<unknown[]> {
  const { rows } = await session.query(
    `select timestamptz '2026-11-29 03:04:05+03' as at, 0.1::float8 + 0.2 as number,
      interval '1 day 2 hours' as during, '\\x00ff'::bytea as bytes, 'a\\b' as text,
      current_setting('transaction_isolation') as isolation,
      current_setting('idle_session_timeout') as idle`,
  )
  return rows
}

/** Returns whether a migration has changed the database. */
export async function isMigrated({ db }: Pick<TestDatabase, 'db'>): Promise<boolean> {
  const { rows } = await db.pool.query<{ made: boolean }>(
    `select to_regclass('schema_migration') is not null as made`,
  )
  return rows[0]!.made
}
