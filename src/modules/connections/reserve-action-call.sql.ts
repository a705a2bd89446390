import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'

/** A call that counts against the quotas of its reply and customer. */
export type ActionCallQuota = {
  companyId: string
  replyId: string
  /** The subject of the daily quota: the id of the contact, or of a visitor's conversation. */
  customer: string
  now: Date
}

/** The error of an exhausted call quota. It is thrown within the transaction, whose counts and claims are rolled back. */
export class CallQuotaExceeded extends Error {
  readonly reason: 'per_reply' | 'per_customer'

  constructor(reason: 'per_reply' | 'per_customer') {
    super('No call is left.')
    this.reason = reason
  }
}

/**
 * Reserves a call in the quotas of a reply and of a customer's UTC day. Returns the time that the call may take, in
 * ms: what the reply's calls have left of 30 s. @throws CallQuotaExceeded
 *
 * Isolation: each counter is one row, which one statement raises only below its limit, so that callers on all nodes
 * are serialised. The reply's row is locked first, everywhere.
 * Spec: Limits › AI actions.
 */
export async function reserveActionCall(
  tx: Transaction<DB>,
  { companyId, replyId, customer, now }: ActionCallQuota,
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
  return timeLeft(usedMs)
}

const timeLeft = (usedMs: number) => Math.max(0, CALL_LIMITS.inOneGoMs - usedMs)

/** Returns the time that the next call of a reply may take, in ms. */
export async function readTimeLeft(
  db: Kysely<DB>,
  { companyId, replyId }: Pick<ActionCallQuota, 'companyId' | 'replyId'>,
): Promise<number> {
  const row = await db
    .selectFrom('actionReply')
    .select('usedMs')
    .where('companyId', '=', companyId)
    .where('replyId', '=', replyId)
    .executeTakeFirst()
  return timeLeft(row?.usedMs ?? 0)
}

/** Returns whether quota is left now; only a reservation guarantees it. */
export async function hasActionCallLeft(
  db: Kysely<DB>,
  { companyId, replyId, customer, now }: ActionCallQuota,
): Promise<boolean> {
  const { rows } = await sql<{ hasQuota: boolean }>`
    select not exists (
      select 1 from action_reply where company_id = ${companyId} and reply_id = ${replyId}
        and calls >= ${ACTION_LIMITS.callsPerReply}::int
    ) and not exists (
      select 1 from action_day where company_id = ${companyId} and customer = ${customer}
        and day = ${utcDay(now)}::date and calls >= ${ACTION_LIMITS.callsPerCustomerPerDay}::int
    ) as has_quota
  `.execute(db)
  return rows[0]!.hasQuota
}

/** Adds the duration of a call to its reply. */
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
