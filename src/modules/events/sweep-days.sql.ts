/**
 * Daily partitions of event bodies and attempts. Coming days are created ahead. A day that is past retention is
 * detached and dropped, which costs the same whatever it contains.
 */
import { sql, type Kysely } from 'kysely'
import { createPartitionsOfDays } from '../../infra/database/missing-partition.ts'
import type { DB } from '../../infra/database/tables.ts'
import { RETENTION, SWEEP } from '../../core/limits/retention.ts'
import { DAY_MS } from '../../core/limits/units.ts'

/** An advisory lock key, unique within the service. */
const DAYS_LOCK = 7_310_002

/** Creates the daily partitions of today and the coming days where they are missing. Returns 0, as no work is left. */
export async function makeComingDays(db: Kysely<DB>, now: Date): Promise<number> {
  const days = Array.from(
    { length: SWEEP.daysAhead + 1 },
    (_, ahead) => new Date(now.getTime() + ahead * DAY_MS),
  )
  await createPartitionsOfDays(db, days)
  return 0
}

type Day = { parent: string; partition: string; state: 'attached' | 'detaching' | 'detached' }

/**
 * Drops the daily partitions of events that ended more than 30 days ago: detaches each concurrently, then drops it.
 * Finishes a day that a crash left half done. A lock wait of more than a second fails, to be retried within the hour.
 * Returns how many days were dropped.
 *
 * Isolation: one node at a time, by an advisory lock; outside a transaction, where a concurrent detach is not
 * possible.
 * Spec: Retention › Retention periods.
 */
export async function dropOldDays(db: Kysely<DB>, now: Date): Promise<number> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ isAcquired: boolean; lockTimeout: string }>`
      select pg_try_advisory_lock(${DAYS_LOCK}) as is_acquired,
        current_setting('lock_timeout') as lock_timeout
    `.execute(session)
    const { isAcquired, lockTimeout } = rows[0]!
    if (!isAcquired) return 0
    try {
      await setLockTimeout(session, String(SWEEP.dayLockMs))
      const days = await oldDays(session, now)
      for (const day of days) await drop(session, day)
      return days.length
    } finally {
      await setLockTimeout(session, lockTimeout)
      await sql`select pg_advisory_unlock(${DAYS_LOCK})`.execute(session)
    }
  })
}

/** Returns the days past retention, oldest first, including detached ones. */
async function oldDays(session: Kysely<DB>, now: Date): Promise<Day[]> {
  const end = new Date(now.getTime() - RETENTION.deliveryLogMs)
  // A day is past retention once the day after it had begun by then.
  const lastDay = new Date(end.getTime() - DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
  const { rows } = await sql<Day>`
    select found[1] as parent, relation.relname as partition, case
        when inherits.inhrelid is null then 'detached'
        when inherits.inhdetachpending then 'detaching' else 'attached' end as state
    from pg_class relation
      cross join lateral regexp_match(relation.relname,
        '^(event_body|delivery_attempt)_(\\d{8})$') as found
      left join pg_inherits inherits on inherits.inhrelid = relation.oid
    where relation.relkind = 'r' and relation.relnamespace = current_schema()::regnamespace
      and found[2] <= ${lastDay}
    order by found[2], found[1]
  `.execute(session)
  return rows
}

async function drop(session: Kysely<DB>, { parent, partition, state }: Day): Promise<void> {
  if (state !== 'detached') {
    const how = sql.raw(state === 'detaching' ? 'finalize' : 'concurrently')
    await sql`alter table ${sql.table(parent)} detach partition ${sql.table(partition)} ${how}`.execute(
      session,
    )
  }
  await sql`drop table ${sql.table(partition)}`.execute(session)
}

async function setLockTimeout(session: Kysely<DB>, value: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${value}, false)`.execute(session)
}
