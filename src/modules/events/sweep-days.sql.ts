/**
 * The days of the tables that are partitioned by day: bodies of events and attempts. Days to come are
 * made ahead; a day that is too old as a whole is taken out and dropped, which costs the same however
 * much it holds.
 */
import { sql, type Kysely } from 'kysely'
import { makeDays } from '../../infra/database/missing-partition.ts'
import type { DB } from '../../infra/database/tables.ts'
import { RETENTION, SWEEP } from '../../core/limits/retention.ts'
import { DAY_MS } from '../../core/limits/units.ts'

/** Any number will do, as long as nobody else takes the same one. */
const DAYS_LOCK = 7_310_002

/** Makes today and the days to come where they are missing. Returns 0: there is never more to do. */
export async function makeComingDays(db: Kysely<DB>, now: Date): Promise<number> {
  const days = Array.from(
    { length: SWEEP.daysAhead + 1 },
    (_, ahead) => new Date(now.getTime() + ahead * DAY_MS),
  )
  await makeDays(db, days)
  return 0
}

type Day = { parent: string; partition: string; state: 'attached' | 'detaching' | 'detached' }

/**
 * Drops the days that ended more than 30 days ago. Each is first detached beside the work of others,
 * then dropped; one that a crash left half way is finished. Who waits for a lock longer than a second
 * gives up and comes again in an hour. Returns how many days went.
 *
 * Isolation: one node at a time, by an advisory lock; outside a transaction, as a partition cannot be
 * detached concurrently in one.
 * Spec: Retention › What is kept.
 */
export async function dropOldDays(db: Kysely<DB>, now: Date): Promise<number> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ isOurs: boolean; lockTimeout: string }>`
      select pg_try_advisory_lock(${DAYS_LOCK}) as is_ours,
        current_setting('lock_timeout') as lock_timeout
    `.execute(session)
    const { isOurs, lockTimeout } = rows[0]!
    if (!isOurs) return 0
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

/** Days whose last moment is too old, the oldest first; also those that have been detached already. */
async function oldDays(session: Kysely<DB>, now: Date): Promise<Day[]> {
  const end = new Date(now.getTime() - RETENTION.deliveryLogMs)
  // A day is whole and old when the day after it had begun by then.
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
