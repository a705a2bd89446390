/**
 * The partitions of the delivery log: a day of bodies or attempts, a week of events or deliveries. Those of coming days
 * are created ahead. One that is past retention is detached and dropped, which costs the same whatever it contains.
 */
import { sql, type Kysely } from 'kysely'
import { createPartitionsOfDays } from '../../infra/database/missing-partition.ts'
import type { DB } from '../../infra/database/tables.ts'
import { RETENTION, SWEEP } from '../../core/limits/retention.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'

/** An advisory lock key, unique within the service. */
const DAYS_LOCK = 7_310_002

/** Creates the partitions of today and the coming days where they are missing. Always returns 0: no work is left. */
export async function createComingPartitions(db: Kysely<DB>, now: Date): Promise<number> {
  const days = Array.from(
    { length: SWEEP.daysAhead + 1 },
    (_, ahead) => new Date(now.getTime() + ahead * DAY_MS),
  )
  await createPartitionsOfDays(db, days)
  return 0
}

type Partition = { parent: string; name: string; state: 'attached' | 'detaching' | 'detached' }

/**
 * Drops the partitions whose last day ended more than 30 days ago, and returns how many. Each is detached concurrently,
 * then dropped; one that a crash left detached is dropped too. A lock wait of more than a second fails, to be retried
 * within the hour.
 *
 * Isolation: one node at a time, by an advisory lock; outside a transaction, where a concurrent detach is not
 * possible.
 * Spec: Retention › Retention periods.
 */
export async function dropOldPartitions(db: Kysely<DB>, now: Date): Promise<number> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ isAcquired: boolean; lockTimeout: string }>`
      select pg_try_advisory_lock(${DAYS_LOCK}) as is_acquired,
        current_setting('lock_timeout') as lock_timeout
    `.execute(session)
    const { isAcquired, lockTimeout } = rows[0]!
    if (!isAcquired) return 0
    try {
      await setLockTimeout(session, String(SWEEP.dayLockMs))
      const partitions = await oldPartitions(session, now)
      for (const partition of partitions) await drop(session, partition)
      return partitions.length
    } finally {
      await setLockTimeout(session, lockTimeout)
      await sql`select pg_advisory_unlock(${DAYS_LOCK})`.execute(session)
    }
  })
}

/** No transaction stays open for this long, so none can still resend an event that became too old since it began. */
const LONGEST_RESEND_MS = 10 * MINUTE_MS

/**
 * Returns the partitions past retention, oldest first and deliveries before their events, including detached ones.
 * Leaves out those with deliveries that have not expired yet, and those with an event of which a resend is kept.
 */
async function oldPartitions(session: Kysely<DB>, now: Date): Promise<Partition[]> {
  // A partition is past retention if its last day ended before this day began.
  const end = (keptMs: number) => new Date(now.getTime() - keptMs).toISOString().slice(0, 10)
  const { rows } = await sql<Partition>`
    with log as materialized (
      select least(${end(RETENTION.deliveryLogMs)}::date,
        (select day_of_id(id) from delivery_queue order by id limit 1)) as past
    ), event_log as materialized (
      select least(past, ${end(RETENTION.deliveryLogMs + LONGEST_RESEND_MS)}::date,
        (select day_of_id(event_id) from webhook_delivery
          where kind = 'resend'
            and id >= oldest_id_at(date_trunc('week', past::timestamp) at time zone 'UTC')
          order by event_id limit 1)) as past
      from log
    )
    select found[1] as parent, relation.relname as name, case
        when inherits.inhrelid is null then 'detached'
        when inherits.inhdetachpending then 'detaching' else 'attached' end as state
    from pg_class relation
      cross join lateral regexp_match(relation.relname,
        '^(event|event_body|webhook_delivery|delivery_attempt)_(\\d{8})$') as found
      cross join log cross join event_log
      left join pg_inherits inherits on inherits.inhrelid = relation.oid
    where relation.relkind = 'r' and relation.relnamespace = current_schema()::regnamespace
      and to_date(found[2], 'YYYYMMDD')
        + case when found[1] in ('event', 'webhook_delivery') then 7 else 1 end
        <= case found[1] when 'event' then event_log.past else log.past end
    order by found[2], found[1] = 'event', found[1]
  `.execute(session)
  return rows
}

async function drop(session: Kysely<DB>, { parent, name, state }: Partition): Promise<void> {
  if (state !== 'detached') {
    const how = sql.raw(state === 'detaching' ? 'finalize' : 'concurrently')
    await sql`alter table ${sql.table(parent)} detach partition ${sql.table(name)} ${how}`.execute(
      session,
    )
  }
  await sql`drop table ${sql.table(name)}`.execute(session)
}

async function setLockTimeout(session: Kysely<DB>, value: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${value}, false)`.execute(session)
}
