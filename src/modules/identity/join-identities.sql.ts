import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'

/** A conversation without an assignee, and the assignee of the one that was merged into it. */
export type JoinedAssignee = { conversationId: string; assigneeId: string }

type Pair = { companyId: string; into: string; from: string }

/**
 * Merges the identity `from` into another one of the same contact: joins their identifiers, and merges two conversations
 * on a channel into the one with the latest message. Returns the assignees that the caller has to transfer.
 *
 * Isolation: the caller has locked their identifiers, contact and conversations.
 */
export async function joinIdentities(
  tx: Transaction<DB>,
  now: Date,
  { companyId, into, from }: Pair,
): Promise<JoinedAssignee[]> {
  // An identity has one current number, and one current id per scope: the one shown last.
  await sql`
    update identifier set identity_id = ${into},
      state = case when place > 1 then 'former' else identifier.state end,
      changed_at = case when place > 1 then ${now} else changed_at end
    from (select kind, key, state, row_number() over (partition by kind, scope, state
        order by proof = 'shown' desc, shown_at desc nulls last, first_at desc) as place
      from identifier where identity_id in (${into}, ${from})
        and state = 'current' and kind in ('number', 'user', 'parent')
      union all
      select kind, key, state, 1 from identifier where identity_id in (${into}, ${from})
        and not (state = 'current' and kind in ('number', 'user', 'parent'))) ranked
    where identifier.company_id = ${companyId} and identifier.identity_id in (${into}, ${from})
      and identifier.kind = ranked.kind and identifier.key = ranked.key
      and identifier.state = ranked.state`.execute(tx)
  const assigned: JoinedAssignee[] = []
  const { rows } = await sql<{ intoId: string; fromId: string }>`
    select (array_agg(id order by last_message_at desc nulls last, created_at, id))[1] as into_id,
      unnest((array_agg(id order by last_message_at desc nulls last, created_at, id))[2:]) as from_id
    from conversation where identity_id in (${into}, ${from}) and company_id = ${companyId}
    group by channel_id having count(*) > 1`.execute(tx)
  for (const { intoId, fromId } of rows) {
    const assigneeId = await joinConversations(tx, now, companyId, intoId, fromId)
    if (assigneeId !== null) assigned.push({ conversationId: intoId, assigneeId })
  }
  await sql`update conversation set identity_id = ${into}
    where identity_id = ${from} and company_id = ${companyId}`.execute(tx)
  // An account with two records stays with its contact, also when a merge of contacts is undone.
  await sql`update identity set came_from = null
    where id = ${into} and came_from is distinct from (select came_from from identity where id = ${from})`.execute(
    tx,
  )
  await sql`delete from identity where id = ${from} and company_id = ${companyId}`.execute(tx)
  return assigned
}

/** Tables whose rows move with the conversation and cannot conflict. */
const MOVED = ['flow_run', 'assistant_reply', 'lead', 'appointment', 'opt_out_change', 'call_log']

/**
 * Moves everything of one conversation into another of the same customer, and deletes the first; its id redirects to
 * the other. Returns the first one's assignee if the other has none. Raises no event of a resolution, as the customer
 * continues in the other.
 */
async function joinConversations(
  tx: Transaction<DB>,
  now: Date,
  companyId: string,
  intoId: string,
  fromId: string,
): Promise<string | null> {
  await cancelReplies(tx, now, { conversationIds: [fromId] }, fact('reply_conversation_joined'))
  // If both conversations have a pending proposal or handover, the remaining one's is kept.
  await sql`update action_proposal set state = 'withdrawn', withdrawn_because = 'not_stated', ended_at = ${now}
    where conversation_id = ${fromId} and state in ('drafted', 'proposed')
      and exists (select from action_proposal other where other.conversation_id = ${intoId}
        and other.state in ('drafted', 'proposed'))`.execute(tx)
  await sql`update handover set closed_at = ${now}, closed_how = 'returned'
    where conversation_id = ${fromId} and closed_at is null
      and exists (select from handover other where other.conversation_id = ${intoId}
        and other.closed_at is null)`.execute(tx)
  for (const table of ['message', 'conversation_entry']) {
    await sql`update ${sql.table(table)} set conversation_id = ${intoId},
        joined_from = coalesce(joined_from, ${fromId})
      where conversation_id = ${fromId} and company_id = ${companyId}`.execute(tx)
  }
  for (const table of [...MOVED, 'action_proposal', 'handover']) {
    await sql`update ${sql.table(table)} set conversation_id = ${intoId}
      where conversation_id = ${fromId} and company_id = ${companyId}`.execute(tx)
  }
  const joined = await sql<{ assigneeId: string | null }>`
    update conversation set
      status = case when joined.status = 'open' then 'open' else conversation.status end,
      handled_by = case when joined.handled_by = 'staff' then 'staff' else conversation.handled_by end,
      taken_over_at = case when joined.handled_by = 'staff' and conversation.handled_by <> 'staff'
        then joined.taken_over_at else conversation.taken_over_at end,
      taken_over_until = case when joined.handled_by = 'staff' and conversation.handled_by <> 'staff'
        then joined.taken_over_until else conversation.taken_over_until end,
      needs_staff = conversation.needs_staff or joined.needs_staff,
      waiting_since = least(conversation.waiting_since, joined.waiting_since),
      last_customer_at = greatest(conversation.last_customer_at, joined.last_customer_at),
      service_window_ends_at = greatest(conversation.service_window_ends_at, joined.service_window_ends_at),
      staff_seen_at = case when conversation.staff_seen_at is null or joined.staff_seen_at is null then null
        else least(conversation.staff_seen_at, joined.staff_seen_at) end,
      created_at = least(conversation.created_at, joined.created_at),
      turn = greatest(conversation.turn, joined.turn) + 1
    from conversation joined
    where conversation.id = ${intoId} and joined.id = ${fromId}
    returning case when conversation.assignee_id is null then joined.assignee_id end as assignee_id`.execute(
    tx,
  )
  await sql`update conversation_join set into_id = ${intoId} where into_id = ${fromId}`.execute(tx)
  await sql`delete from conversation where id = ${fromId} and company_id = ${companyId}`.execute(tx)
  await sql`insert into conversation_join (from_id, company_id, into_id, joined_at)
    values (${fromId}, ${companyId}, ${intoId}, ${now})`.execute(tx)
  return joined.rows[0]?.assigneeId ?? null
}
