import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { ChangeWrites } from './plan-changes.ts'

/**
 * Writes what changes of conversations come to, in one statement. The conversations are locked by the
 * caller; each row is touched once. A handover that was opened and closed by the same changes is written
 * closed.
 */
export async function writeChanges(
  tx: Transaction<DB>,
  { opened, closed, entries, changed }: ChangeWrites,
  now: Date,
): Promise<void> {
  const rows = [...changed]
  if (rows.length === 0 && entries.length === 0) return
  const closedAtOnce = new Map(closed.map((row) => [row.id, row]))
  const made = opened.map((row) => ({ ...row, end: closedAtOnce.get(row.id) ?? null }))
  const ended = closed.filter(({ id }) => !opened.some((row) => row.id === id))
  await sql`
    with ended as (
      update handover set closed_at = ${now}, closed_how = told.how, closed_by = told.closed_by
      from unnest(${ended.map(({ id }) => id)}::uuid[], ${ended.map(({ how }) => how)}::text[],
        ${ended.map(({ by }) => by)}::uuid[]) as told (id, how, closed_by)
      where handover.id = told.id
    ), opened as (
      insert into handover (id, company_id, conversation_id, reason, reason_text, run_id, reply_id, detail,
        opened_at, closed_at, closed_how, closed_by)
      select id, company_id, conversation_id, reason, reason_text, run_id, reply_id, detail, ${now},
        case when how is not null then ${now}::timestamptz end, how, closed_by
      from unnest(${made.map(({ id }) => id)}::uuid[],
        ${made.map(({ companyId }) => companyId)}::uuid[],
        ${made.map(({ conversationId }) => conversationId)}::text[],
        ${made.map(({ reason }) => reason)}::text[],
        ${made.map(({ reasonText }) => reasonText)}::text[],
        ${made.map(({ runId }) => runId)}::uuid[],
        ${made.map(({ replyId }) => replyId)}::uuid[],
        ${made.map(({ detail }) => detail)}::text[],
        ${made.map(({ end }) => end?.how ?? null)}::text[],
        ${made.map(({ end }) => end?.by ?? null)}::uuid[])
        as told (id, company_id, conversation_id, reason, reason_text, run_id, reply_id, detail, how,
          closed_by)
    ), entered as (
      insert into conversation_entry
        (id, company_id, conversation_id, kind, actor_kind, actor_id, text, data, at)
      select id, company_id, conversation_id, kind, actor_kind, actor_id, text, data, ${now}
      from unnest(${entries.map(({ id }) => id)}::uuid[],
        ${entries.map(({ companyId }) => companyId)}::uuid[],
        ${entries.map(({ conversationId }) => conversationId)}::text[],
        ${entries.map(({ kind }) => kind)}::text[],
        ${entries.map(({ actorKind }) => actorKind)}::text[],
        ${entries.map(({ actorId }) => actorId)}::uuid[],
        ${entries.map(({ text }) => text)}::text[],
        ${entries.map(({ data }) => JSON.stringify(data))}::jsonb[])
        as told (id, company_id, conversation_id, kind, actor_kind, actor_id, text, data)
    )
    update conversation set status = told.status, handled_by = told.handled_by,
      taken_over_at = told.taken_over_at, taken_over_until = told.taken_over_until,
      assignee_id = told.assignee_id, needs_staff = told.needs_staff,
      waiting_since = told.waiting_since, turn = told.turn, resolved_at = told.resolved_at,
      resolved_by = told.resolved_by
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ handledBy }) => handledBy)}::text[],
      ${rows.map(({ takenOverAt }) => takenOverAt)}::timestamptz[],
      ${rows.map(({ takenOverUntil }) => takenOverUntil)}::timestamptz[],
      ${rows.map(({ assigneeId }) => assigneeId)}::uuid[],
      ${rows.map(({ needsStaff }) => needsStaff)}::boolean[],
      ${rows.map(({ waitingSince }) => waitingSince)}::timestamptz[],
      ${rows.map(({ turn }) => turn)}::bigint[],
      ${rows.map(({ resolvedAt }) => resolvedAt)}::timestamptz[],
      ${rows.map(({ resolvedBy }) => resolvedBy)}::uuid[])
      as told (id, status, handled_by, taken_over_at, taken_over_until, assignee_id, needs_staff,
        waiting_since, turn, resolved_at, resolved_by)
    where conversation.id = told.id
  `.execute(tx)
}
