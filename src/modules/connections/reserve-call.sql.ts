import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'

type CallQuota = { accountId: string; now: Date }

/**
 * Reserves one attempt in the quota that an account with its projects has for the UTC day. Returns false when the quota
 * is exhausted.
 *
 * Isolation: one statement; its update locks the row of the day, so that concurrent calls cannot exceed the quota.
 * Spec: Calls › Repeats and limits.
 */
export async function reserveCall(db: Kysely<DB>, { accountId, now }: CallQuota): Promise<boolean> {
  const { rows } = await sql`
    insert into call_day as counted (account_id, day, made)
    values (${accountId}, (${now}::timestamptz at time zone 'UTC')::date, 1)
    on conflict (account_id, day) do update set made = counted.made + 1
      where counted.made < ${CALL_LIMITS.perAccountPerDay}
    returning made
  `.execute(db)
  return rows.length > 0
}

/** Releases the quota reserved at `now` for an attempt that was not started. */
export async function releaseCall(db: Kysely<DB>, { accountId, now }: CallQuota): Promise<void> {
  await sql`
    update call_day set made = made - 1
    where account_id = ${accountId} and day = (${now}::timestamptz at time zone 'UTC')::date
      and made > 0
  `.execute(db)
}
