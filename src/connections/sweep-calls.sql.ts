import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { RETENTION } from '../limits.ts'

/**
 * Deletes the log rows of calls 14 days after they began. At most `most`, the oldest first; returns
 * how many.
 *
 * Isolation: `skip locked` gives two nodes different rows.
 * Spec: Retention › What is kept.
 */
export async function deleteOldCalls(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from call_log where started_at < ${keptSince(now)}
      order by started_at limit ${most} for update skip locked
    )
    delete from call_log using picked where call_log.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The same for the accounts' counts of a UTC day. */
export async function deleteOldCallDays(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select account_id, day from call_day
      where day < (${keptSince(now)}::timestamptz at time zone 'UTC')::date
      order by day limit ${most} for update skip locked
    )
    delete from call_day using picked
    where call_day.account_id = picked.account_id and call_day.day = picked.day
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - RETENTION.callLogMs)
}
