/**
 * Retention by table, one line each. `sweep.ts` has the other sweeps: daily partitions that are dropped, deliveries
 * that expire, and changes without watchers.
 *
 * Spec: Retention › Retention periods; Hooks › Idempotency; Hooks › Last request.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { SIGN_IN_LIMITS } from '../core/limits/sign-in.ts'
import type { DB } from '../infra/database/tables.ts'
import { oldestIdAt } from '../core/ids.ts'
import { REPLY_RETENTION } from '../core/limits/assistant-setup.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import { TEMPLATE_LIMITS } from '../core/limits/messaging.ts'
import { RETENTION } from '../core/limits/retention.ts'
import { TOOL_LIMITS } from '../core/limits/tools.ts'
import { DAY_MS } from '../core/limits/units.ts'
import { VISITOR_LIMITS } from '../core/limits/visitors.ts'

/** A table with the condition of its expired rows. */
type Line = {
  table: string
  /** The columns that identify a row. */
  key: readonly string[]
  /** Returns the condition of rows to delete. */
  tooOld(now: Date): RawBuilder<unknown>
  /** The column by which an index finds the oldest rows, which then go first. */
  oldestBy?: string
}

const before = (now: Date, keptMs: number) => new Date(now.getTime() - keptMs)
const dayBefore = (now: Date, keptMs: number) => before(now, keptMs).toISOString().slice(0, 10)
/** Ids sort by time: the oldest rows are found at the beginning of the primary key. */
const idBefore = (now: Date, keptMs: number) => sql`id < ${oldestIdAt(before(now, keptMs))}::uuid`

/** Lines in their order of deletion: a step before its run. */
const LINES: readonly Line[] = [
  {
    table: 'delivery_hour',
    key: ['endpoint_id', 'hour'],
    oldestBy: 'hour',
    tooOld: (now) => sql`hour < ${before(now, RETENTION.deliveryHourMs)}`,
  },
  {
    table: 'visitor_ticket',
    key: ['hash'],
    oldestBy: 'expires_at',
    tooOld: (now) => sql`expires_at < ${now}`,
  },
  {
    // A visitor's conversations stay; the same visitor later begins another one.
    table: 'visitor',
    key: ['id'],
    oldestBy: 'seen_at',
    tooOld: (now) => sql`seen_at < ${before(now, VISITOR_LIMITS.forgottenMs)}`,
  },
  {
    table: 'resend_job',
    key: ['id'],
    oldestBy: 'ended_at',
    tooOld: (now) => sql`ended_at < ${before(now, RETENTION.deliveryLogMs)}`,
  },
  {
    table: 'close_job',
    key: ['id'],
    oldestBy: 'ended_at',
    tooOld: (now) => sql`ended_at < ${before(now, RETENTION.closeJobMs)}`,
  },
  {
    table: 'audit',
    key: ['id'],
    oldestBy: 'id',
    tooOld: (now) => idBefore(now, RETENTION.auditMs),
  },
  {
    table: 'identity_change',
    key: ['id'],
    oldestBy: 'id',
    tooOld: (now) => idBefore(now, RETENTION.identityChangeMs),
  },
  {
    // An active run keeps all of its history.
    table: 'flow_run_step',
    key: ['run_id', 'number'],
    oldestBy: 'run_id',
    tooOld: (now) => sql`run_id < ${oldestIdAt(before(now, RETENTION.runStepMs))}::uuid
      and started_at < ${before(now, RETENTION.runStepMs)}
      and exists (select from flow_run where id = run_id and ended_at is not null)`,
  },
  {
    // The values that the run collected and its replies are deleted with it. Its idempotency key can be used again.
    table: 'flow_run',
    key: ['id'],
    oldestBy: 'id',
    tooOld: (now) =>
      sql`${idBefore(now, RETENTION.runMs)} and ended_at < ${before(now, RETENTION.runMs)}`,
  },
  {
    // An active reply keeps all of its steps.
    table: 'assistant_step',
    key: ['reply_id', 'epoch', 'number'],
    oldestBy: 'started_at',
    tooOld: (now) => sql`started_at < ${before(now, REPLY_RETENTION.stepMs)}
      and exists (select from assistant_reply where id = reply_id and ended_at is not null)`,
  },
  {
    // No prompt has used the part for this long.
    table: 'prompt_part',
    key: ['company_id', 'sha256'],
    tooOld: (now) => sql`last_used_at < ${before(now, REPLY_RETENTION.stepMs)}`,
  },
  {
    // Includes members' feedback; messages and handovers do not refer to replies.
    table: 'assistant_reply',
    key: ['id'],
    oldestBy: 'ended_at',
    tooOld: (now) => sql`ended_at < ${before(now, REPLY_RETENTION.replyMs)}`,
  },
  {
    // A company has at most 20: an index would cost every request more than this scan.
    table: 'hook_shape',
    key: ['hook_url_id'],
    tooOld: (now) => sql`received_at < ${before(now, HOOK_LIMITS.shapeKeptMs)}`,
  },
  {
    table: 'call_log',
    key: ['id'],
    oldestBy: 'started_at',
    tooOld: (now) => sql`started_at < ${before(now, RETENTION.callLogMs)}`,
  },
  {
    table: 'call_day',
    key: ['account_id', 'day'],
    oldestBy: 'day',
    tooOld: (now) => sql`day < ${dayBefore(now, RETENTION.usageDayMs)}::date`,
  },
  {
    table: 'model_day',
    key: ['account_id', 'day', 'purpose'],
    tooOld: (now) => sql`day < ${dayBefore(now, RETENTION.usageDayMs)}::date`,
  },
  {
    // Warnings about the allowance of a past day.
    table: 'model_warning',
    key: ['account_id', 'day', 'percent'],
    tooOld: (now) => sql`day < ${dayBefore(now, 2 * DAY_MS)}::date`,
  },
  {
    table: 'action_proposal',
    key: ['id'],
    oldestBy: 'id',
    tooOld: (now) => idBefore(now, RETENTION.callLogMs),
  },
  {
    table: 'offered_slot',
    key: ['conversation_id', 'service_id', 'starts_at'],
    oldestBy: 'found_at',
    tooOld: (now) => sql`found_at < ${before(now, TOOL_LIMITS.timesKeptMs)}`,
  },
  {
    table: 'action_day',
    key: ['company_id', 'customer', 'day'],
    tooOld: (now) => sql`day < ${dayBefore(now, 2 * DAY_MS)}::date`,
  },
  {
    table: 'action_reply',
    key: ['company_id', 'reply_id'],
    tooOld: (now) => sql`started_at < ${before(now, 2 * DAY_MS)}`,
  },
  {
    // The import's file and its faults are deleted with it.
    table: 'contact_import',
    key: ['id'],
    oldestBy: 'created_at',
    tooOld: (now) => sql`created_at < ${before(now, RETENTION.contactImportMs)}
      and due_at is null`,
  },
  {
    // The broadcast has the counts of their outcomes.
    table: 'broadcast_recipient',
    key: ['broadcast_id', 'number'],
    tooOld: (now) => sql`broadcast_id in (select id from broadcast
      where ended_at < ${before(now, RETENTION.recipientMs)})`,
  },
  {
    table: 'reminder',
    key: ['appointment_id', 'flow_id', 'version'],
    oldestBy: 'due_at',
    tooOld: (now) => sql`due_at < ${before(now, RETENTION.reminderMs)}
      and state not in ('pending', 'stopping')`,
  },
  {
    // Each repeated request of a form creates a new link. A link far ahead of its appointment is old before it ends.
    table: 'appointment_link',
    key: ['token_hash'],
    oldestBy: 'created_at',
    tooOld: (now) => sql`created_at < ${before(now, RETENTION.appointmentLinkMs)}
      and not exists (select from appointment where id = appointment_id
        and ends_at >= ${before(now, RETENTION.appointmentLinkMs)})`,
  },
  {
    // The ids of messages that are sent sort by time, too.
    table: 'template_send',
    key: ['message_id'],
    oldestBy: 'message_id',
    tooOld: (now) =>
      sql`message_id < 'o_' || replace(${oldestIdAt(before(now, TEMPLATE_LIMITS.recordKeptMs))}, '-', '')`,
  },
  {
    table: 'template_day',
    key: ['account_id', 'day'],
    oldestBy: 'day',
    tooOld: (now) => sql`day < ${dayBefore(now, TEMPLATE_LIMITS.recordKeptMs)}::date`,
  },
  {
    // Sessions end by age or by disuse.
    table: 'session',
    key: ['id'],
    tooOld: (now) => sql`expires_at <= ${now}
      or last_seen_at <= ${before(now, SIGN_IN_LIMITS.sessionIdleMs)}`,
  },
  { table: 'invitation', key: ['id'], tooOld: (now) => sql`expires_at <= ${now}` },
  { table: 'pending_sign_in', key: ['id'], tooOld: (now) => sql`expires_at <= ${now}` },
  { table: 'password_reset', key: ['id'], tooOld: (now) => sql`expires_at <= ${now}` },
  { table: 'trusted_device', key: ['id'], tooOld: (now) => sql`expires_at <= ${now}` },
  {
    table: 'sign_in_failure',
    key: ['id'],
    oldestBy: 'failed_at',
    tooOld: (now) => sql`failed_at <= ${before(now, SIGN_IN_LIMITS.failuresWithinMs)}`,
  },
  // After a rotation the old secret signs until its overlap ends.
  { table: 'endpoint_secret', key: ['id'], tooOld: (now) => sql`signs_until <= ${now}` },
  {
    table: 'notice',
    key: ['id'],
    oldestBy: 'id',
    tooOld: (now) => idBefore(now, RETENTION.noticeMs),
  },
  {
    table: 'rate_limit_counter',
    key: ['account_id', 'what', 'minute'],
    oldestBy: 'minute',
    tooOld: (now) => sql`minute < ${before(now, RETENTION.minuteCountMs)}`,
  },
]

/** A function that deletes at most `limit` rows that are too old, and returns how many. */
export type Sweep = (db: Kysely<DB>, now: Date, limit: number) => Promise<number>

/** The sweeps of all tables whose rows are deleted by age alone, by the name of the table. */
export const SWEEPS_OF_TABLES: Record<string, Sweep> = Object.fromEntries(
  LINES.map((line) => [line.table, (db, now, limit) => deleteTooOld(db, line, now, limit)]),
)

/** Isolation: `skip locked` gives two nodes different rows, and skips a row that is in use. */
async function deleteTooOld(
  db: Kysely<DB>,
  { table, key, tooOld, oldestBy }: Line,
  now: Date,
  limit: number,
): Promise<number> {
  const isSame = key.map(
    (column) => sql`${sql.ref(`${table}.${column}`)} = picked.${sql.ref(column)}`,
  )
  const order = oldestBy ? sql`order by ${sql.ref(oldestBy)}` : sql``
  const { numAffectedRows } = await sql`
    with picked as (
      select ${sql.join(key.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where ${tooOld(now)} ${order} limit ${limit} for update skip locked
    )
    delete from ${sql.table(table)} using picked where ${sql.join(isSame, sql` and `)}
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
