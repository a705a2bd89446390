import { sql, type Transaction } from 'kysely'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Sets the last message that lists show of conversations. Messages of an imported history and cancelled ones do not
 * count, and a deleted one has no text. A message with a text comes after the others of its instant, because additional
 * attachments have none.
 *
 * Isolation: the caller has locked the conversations, so that a message which another transaction adds is seen.
 */
export async function showLastMessages(
  tx: Transaction<DB>,
  { companyId, conversationIds }: { companyId: string; conversationIds: readonly string[] },
): Promise<void> {
  await sql`
    update conversation set last_message_at = last.occurred_at, last_text = last.text, last_sender = last.sender,
      last_author_id = last.author_id
    from unnest(${conversationIds}::text[]) as changed (id)
      left join lateral (
        select occurred_at, sender, author_id,
          case when deleted_at is null then left(text, ${INBOX_LIMITS.lastTextChars}) end as text
        from message where message.conversation_id = changed.id and not is_imported
          and status is distinct from 'cancelled'
        order by occurred_at desc, (message.text is null), arrival desc limit 1
      ) last on true
    where conversation.id = changed.id and company_id = ${companyId}
      and (last_message_at, last_text, last_sender, last_author_id)
        is distinct from (last.occurred_at, last.text, last.sender, last.author_id)`.execute(tx)
}
