import { sql, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { REPLY_OF_ASSISTANT } from '../../core/limits/replies.ts'

/** A customer's message for the assistant. */
export type MessageToEnqueue = {
  id: string
  companyId: string
  conversationId: string
  /** A tapped button needs no debounce, as the customer has finished. */
  isTapped: boolean
  /** A voice note is transcribed immediately, if transcription is on. */
  isVoice: boolean
}

/**
 * Enqueues customers' messages for the assistant: each starts the reply of its conversation or extends the debounce
 * of the active one. A reply that thinks and had no effect yet restarts, up to three times; any other one finishes
 * first, and its end starts the next. Each message is of another conversation.
 *
 * Isolation: the caller has locked the conversations.
 * Spec: Assistant › When it answers.
 */
export async function enqueueMessages(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  messages: readonly MessageToEnqueue[],
): Promise<void> {
  if (messages.length === 0) return
  notifyAfterCommit(tx, 'replies')
  const { maxDebounceMs, restarts } = REPLY_OF_ASSISTANT
  await sql`
    with incoming as materialized (
      select input.*, coalesce(assistant.debounce_ms, 3000) * interval '1 ms' as quiet,
        input.is_voice and coalesce(assistant.transcribes, false) as is_heard
      from unnest(${messages.map(() => ids.uuid())}::uuid[],
        ${messages.map(({ id }) => id)}::text[],
        ${messages.map(({ companyId }) => companyId)}::uuid[],
        ${messages.map(({ conversationId }) => conversationId)}::text[],
        ${messages.map(({ isTapped }) => isTapped)}::boolean[],
        ${messages.map(({ isVoice }) => isVoice)}::boolean[])
          as input (reply_id, message_id, company_id, conversation_id, is_tapped, is_voice)
        left join assistant on assistant.company_id = input.company_id
    ), active as materialized (
      select reply.*, incoming.message_id, incoming.is_tapped, incoming.is_heard, incoming.quiet,
        reply.state = 'gathering' as is_gathering,
        reply.state = 'thinking' and not reply.has_effect and reply.restarts < ${restarts}
          as begins_anew
      from incoming cross join lateral (
        select id, state, has_effect, restarts, debounce_max_at from assistant_reply
        where assistant_reply.conversation_id = incoming.conversation_id
          and state in ('gathering', 'thinking', 'sending')
        for update) reply
    ), stopped as (
      update assistant_step set state = 'interrupted', ended_at = ${now}
      where state = 'started' and reply_id in (select id from active where begins_anew)
    ), prolonged as (
      update assistant_reply set
        last_message_id = active.message_id, noted_at = ${now},
        state = case when active.begins_anew then 'gathering' else assistant_reply.state end,
        epoch = assistant_reply.epoch + active.begins_anew::int,
        restarts = assistant_reply.restarts + active.begins_anew::int,
        heard_at = case when active.begins_anew then null else assistant_reply.heard_at end,
        thinking_at = case when active.begins_anew then null else assistant_reply.thinking_at end,
        debounce_max_at = next.latest, debounce_until = next.until,
        due_at = case when active.is_gathering or active.begins_anew
            then case when active.is_heard then ${now}::timestamptz else next.until end
          else assistant_reply.due_at end,
        claim_id = case when active.begins_anew then null else assistant_reply.claim_id end,
        lease_expires_at = case when active.begins_anew then null
          else assistant_reply.lease_expires_at end
      from active
        cross join lateral (select greatest(active.debounce_max_at,
          case when active.begins_anew then ${now}::timestamptz + active.quiet end) as latest) bound
        cross join lateral (select bound.latest, case when active.is_tapped then ${now}::timestamptz
          else least(${now}::timestamptz + active.quiet, bound.latest) end as until) next
      where assistant_reply.id = active.id
      returning assistant_reply.conversation_id
    )
    insert into assistant_reply (id, company_id, conversation_id, state, debounce_until, debounce_max_at,
      due_at, first_message_id, last_message_id, noted_at, started_at)
    select reply_id, company_id, conversation_id, 'gathering', until,
      ${now}::timestamptz + ${maxDebounceMs}::int * interval '1 ms',
      case when is_heard then ${now}::timestamptz else until end, message_id, message_id, ${now}, ${now}
    from incoming cross join lateral (
      select case when is_tapped then ${now}::timestamptz
        else ${now}::timestamptz + quiet end as until) begun
    where not exists (select from active where active.id is not null
      and active.message_id = incoming.message_id)`.execute(tx)
}
