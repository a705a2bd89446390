import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { TEMPLATE_LIMITS } from '../limits.ts'

/**
 * Deletes the records of automated templates 30 days after they were sent. At most `most`, the oldest
 * first; returns how many.
 *
 * Isolation: `skip locked` gives two nodes different rows.
 * Spec: Retention › What is kept.
 */
export async function deleteOldTemplateSends(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select message_id from template_send
      where sent_at < ${keptSince(now)}
      order by sent_at limit ${most} for update skip locked
    )
    delete from template_send using picked where template_send.message_id = picked.message_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The same for the accounts' counts of a UTC day. */
export async function deleteOldTemplateDays(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select account_id, day from template_day
      where day < (${keptSince(now)}::timestamptz at time zone 'UTC')::date
      order by day limit ${most} for update skip locked
    )
    delete from template_day using picked
    where template_day.account_id = picked.account_id and template_day.day = picked.day
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - TEMPLATE_LIMITS.recordKeptMs)
}
