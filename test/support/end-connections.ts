import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { waitUntil } from './wait.ts'

/**
 * Ends the other sessions of the database, or those of them that match `condition`, an SQL expression over
 * `pg_stat_activity`. Returns how many there were, once the server has closed each of them and the pools of this
 * process have noticed: no pool lends out a connection that is over.
 */
export async function endConnections(
  pool: Pick<pg.Pool, 'query'>,
  condition = 'true',
  values: unknown[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and (${condition})`,
    values,
  )
  const pids = rows.map(({ pid }) => pid)
  const countLeft = `select count(*)::int as n from pg_stat_activity where pid = any($1)`
  await waitUntil('the end of the connections', async () => {
    const left = await pool.query<{ n: number }>(countLeft, [pids])
    return left.rows[0]!.n === 0
  })
  // The sockets that the server has closed are read in the turn of its answer or in the next.
  await setImmediate()
  await setImmediate()
  return pids.length
}
