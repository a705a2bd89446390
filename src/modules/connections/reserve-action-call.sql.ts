import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'

export type ActionPlace = {
  companyId: string
  replyId: string
  /** Whom the day's calls are counted for. */
  customer: string
  now: Date
}

/** Thrown inside a transaction, so that nothing it had counted or claimed stays. */
export class CallQuotaExceeded extends Error {
  readonly reason: 'per_reply' | 'per_customer'

  constructor(reason: 'per_reply' | 'per_customer') {
    super('No call is left.')
    this.reason = reason
  }
}

/**
 * Takes one of the calls of a reply and one of the customer's of the UTC day. Returns how long the
 * call may take, ms: what the reply's calls have left of 30 s. @throws CallQuotaExceeded
 *
 * Isolation: each counter is one row, raised by one statement only while it is under its number, so
 * callers on all nodes take turns. The reply's comes first, everywhere.
 * Spec: Limits › AI actions.
 */
export async function reserveActionCall(
  tx: Transaction<DB>,
  { companyId, replyId, customer, now }: ActionPlace,
): Promise<number> {
  const reply = await sql<{ usedMs: number }>`
    insert into action_reply (company_id, reply_id, calls, started_at)
    values (${companyId}, ${replyId}, 1, ${now})
    on conflict (company_id, reply_id) do update set calls = action_reply.calls + 1
      where action_reply.calls < ${ACTION_LIMITS.callsPerReply}::int
    returning used_ms
  `.execute(tx)
  const usedMs = reply.rows[0]?.usedMs
  if (usedMs === undefined) throw new CallQuotaExceeded('per_reply')
  const day = await sql`
    insert into action_day (company_id, customer, day, calls)
    values (${companyId}, ${customer}, ${utcDay(now)}::date, 1)
    on conflict (company_id, customer, day) do update set calls = action_day.calls + 1
      where action_day.calls < ${ACTION_LIMITS.callsPerCustomerPerDay}::int
    returning calls
  `.execute(tx)
  if (day.rows.length === 0) throw new CallQuotaExceeded('per_customer')
  return Math.max(0, CALL_LIMITS.inOneGoMs - usedMs)
}

/** Whether a call would find a place now; only taking one makes it sure. */
export async function hasActionCallLeft(
  db: Kysely<DB>,
  { companyId, replyId, customer, now }: ActionPlace,
): Promise<boolean> {
  const { rows } = await sql<{ hasPlace: boolean }>`
    select not exists (
      select 1 from action_reply where company_id = ${companyId} and reply_id = ${replyId}
        and calls >= ${ACTION_LIMITS.callsPerReply}::int
    ) and not exists (
      select 1 from action_day where company_id = ${companyId} and customer = ${customer}
        and day = ${utcDay(now)}::date and calls >= ${ACTION_LIMITS.callsPerCustomerPerDay}::int
    ) as has_place
  `.execute(db)
  return rows[0]!.hasPlace
}

/** Adds what a call took to the time of its reply. */
export async function addReplyTime(
  db: Kysely<DB>,
  { companyId, replyId, durationMs }: { companyId: string; replyId: string; durationMs: number },
): Promise<void> {
  await sql`
    update action_reply set used_ms = least(used_ms + ${Math.round(durationMs)}::int, 1000000)
    where company_id = ${companyId} and reply_id = ${replyId}
  `.execute(db)
}

function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}
