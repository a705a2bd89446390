import type pg from 'pg'
import { waitUntil } from './wait.ts'

/** Returns how many sessions wait for a lock of one session, directly or behind another one that waits for it. */
export async function countBlockedBy(pool: pg.Pool, holderPid: number): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `with recursive blocked as (
      select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))
      union
      select later.pid from blocked join pg_stat_activity later
        on blocked.pid = any(pg_blocking_pids(later.pid))
    )
    select count(*)::int as n from blocked where pid <> $1`,
    [holderPid],
  )
  return rows[0]!.n
}

/** Waits until a session waits for a lock that the session of a client holds. */
export async function waitUntilBlocked(what: string, pool: pg.Pool, holder: pg.PoolClient) {
  const pid = await pidOf(holder)
  await waitUntil(what, async () => (await countBlockedBy(pool, pid)) > 0)
}

export async function pidOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
