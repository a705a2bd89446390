import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'

/**
 * Cancels the assistant's active replies in conversations that staff took over or whose customer opted out; results
 * of a model call in progress are discarded. Messages at the provider still go out, queued ones are refused when they
 * are sent, and drafted proposals that were not stated are withdrawn. The caller has locked the conversations.
 *
 * Spec: Assistant › When it answers.
 */
export async function cancelReplies(
  tx: Transaction<DB>,
  now: Date,
  of: { contactIds: readonly string[] } | { conversationIds: readonly string[] },
  why: Fact,
): Promise<void> {
  const conversations =
    'contactIds' in of
      ? sql`conversation_id in (select id from conversation
          where contact_id = any(${of.contactIds}::uuid[]))`
      : sql`conversation_id = any(${of.conversationIds}::text[])`
  await sql`
    with held as materialized (
      select id, conversation_id from assistant_reply
      where state in ('gathering', 'thinking', 'sending') and ${conversations}
      order by id for update
    ), stopped as (
      update assistant_step set state = 'interrupted', ended_at = ${now}
      where reply_id = any(array(select id from held)) and state = 'started'
    ), withdrawn as (
      update action_proposal set state = 'withdrawn', withdrawn_because = 'not_stated', ended_at = ${now}
      from held
      where action_proposal.conversation_id = held.conversation_id and drafted_by = held.id::text
        and state = 'drafted'
    )
    update assistant_reply set state = 'cancelled', end_reason = ${serializeFact(why)}, ended_at = ${now},
      due_at = null, claim_id = null, lease_expires_at = null
    where id = any(array(select id from held))`.execute(tx)
}
