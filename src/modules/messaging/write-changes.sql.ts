import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { ChangeWrites } from './plan-changes.ts'

/**
 * Writes the effects of conversation changes in one statement. The caller has locked the conversations; each row is
 * written once. A handover that the same changes opened and closed is inserted closed.
 */
export async function writeChanges(
  tx: Transaction<DB>,
  { opened, closed, entries, changed }: ChangeWrites,
  now: Date,
): Promise<void> {
  const rows = [...changed]
  if (rows.length === 0 && entries.length === 0) return
  const closedById = new Map(closed.map((row) => [row.id, row]))
  const made = opened.map((row) => ({ ...row, end: closedById.get(row.id) ?? null }))
  const ended = closed.filter(({ id }) => !opened.some((row) => row.id === id))
  await sql`
    with ended as (
      update handover set closed_at = ${now}, closed_how = given.how, closed_by = given.closed_by
      from unnest(${ended.map(({ id }) => id)}::uuid[], ${ended.map(({ how }) => how)}::text[],
        ${ended.map(({ by }) => by)}::uuid[]) as given (id, how, closed_by)
      where handover.id = given.id
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
        as given (id, company_id, conversation_id, reason, reason_text, run_id, reply_id, detail, how,
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
        as given (id, company_id, conversation_id, kind, actor_kind, actor_id, text, data)
    )
    update conversation set status = given.status, handled_by = given.handled_by,
      taken_over_at = given.taken_over_at, taken_over_until = given.taken_over_until,
      assignee_id = given.assignee_id, needs_staff = given.needs_staff,
      waiting_since = given.waiting_since, turn = given.turn, resolved_at = given.resolved_at,
      resolved_by = given.resolved_by
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
      as given (id, status, handled_by, taken_over_at, taken_over_until, assignee_id, needs_staff,
        waiting_since, turn, resolved_at, resolved_by)
    where conversation.id = given.id
  `.execute(tx)
}
