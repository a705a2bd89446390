import { sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * Returns whether the database accepts writes: not on a standby, nor where the server, the database or the user is set
 * to read only.
 */
export async function canWrite({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ canWrite: boolean }>(
    `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "canWrite"`,
  )
  return rows[0]!.canWrite
}

/** Returns true when the disk has space for another file, which it writes and drops. @throws when it has none */
export async function canMakeFiles({ kysely }: Pick<Database, 'kysely'>): Promise<boolean> {
  await kysely.transaction().execute(async (tx) => {
    await sql`create table readiness_probe as select repeat('x', 100) from generate_series(1, 1000)`.execute(
      tx,
    )
    await sql`drop table readiness_probe`.execute(tx)
  })
  return true
}
