import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'

type Place = { accountId: string; now: Date }

/**
 * Takes one of the attempts that an account and its projects have in a UTC day; false when they are
 * used up. Taken before the attempt.
 *
 * Isolation: one statement; the row of the day is locked by its own update, so that no number of
 * calls at once goes over. Spec: Calls › Repeats and limits.
 */
export async function reserveCall(db: Kysely<DB>, { accountId, now }: Place): Promise<boolean> {
  const { rows } = await sql`
    insert into call_day as counted (account_id, day, made)
    values (${accountId}, (${now}::timestamptz at time zone 'UTC')::date, 1)
    on conflict (account_id, day) do update set made = counted.made + 1
      where counted.made < ${CALL_LIMITS.perAccountPerDay}
    returning made
  `.execute(db)
  return rows.length > 0
}

/** Gives back a place that was taken at `now` for an attempt that is not begun after all. */
export async function releaseCall(db: Kysely<DB>, { accountId, now }: Place): Promise<void> {
  await sql`
    update call_day set made = made - 1
    where account_id = ${accountId} and day = (${now}::timestamptz at time zone 'UTC')::date
      and made > 0
  `.execute(db)
}
