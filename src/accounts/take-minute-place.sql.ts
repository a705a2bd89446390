import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { MINUTE_MS } from '../limits/units.ts'

export type MinutePlace = { ok: true } | { ok: false; freesAt: Date }

/**
 * Takes one of an account's places in the present clock minute, or says when the next minute begins.
 * What was taken is not given back. One statement, kept in the database: the number holds over all
 * nodes and over a restart.
 *
 * Spec: Limits › Deliveries; Limits › Calls.
 */
export async function takeMinutePlace(
  db: Kysely<DB>,
  {
    accountId,
    what,
    most,
    now,
  }: {
    accountId: string
    what: 'tests_and_resends' | 'connection_tests' | 'invitations' | 'model_tests'
    most: number
    now: Date
  },
): Promise<MinutePlace> {
  const minute = new Date(now.getTime() - (now.getTime() % MINUTE_MS))
  const { rows } = await sql`
    insert into minute_count (account_id, what, minute, used)
    values (${accountId}, ${what}, ${minute}, 1)
    on conflict (account_id, what, minute) do update set used = minute_count.used + 1
      where minute_count.used < ${most}::int
    returning used
  `.execute(db)
  if (rows.length > 0) return { ok: true }
  return { ok: false, freesAt: new Date(minute.getTime() + MINUTE_MS) }
}
