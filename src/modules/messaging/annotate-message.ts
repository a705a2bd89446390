import { sql, type Transaction } from 'kysely'
import type { ProviderEvent } from '../channels/inbound.ts'
import type { Channel } from '../channels/load-channel.ts'
import type { DB } from '../../infra/database/tables.ts'
import { MESSAGING_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { lockConversations } from './lock-conversations.sql.ts'
import { showLastMessages } from './show-last-message.sql.ts'

type Annotation = Extract<ProviderEvent, { kind: 'annotation' }>
type Deps = { now: Date }

/**
 * Records what the author or the customer did with an earlier message at the provider: an edit, a deletion or a
 * reaction. Only the author may edit or delete. An unknown message is ignored.
 *
 * Isolation: the conversation is locked before the message, so that its last message is known. A reaction changes no
 * conversation and locks none.
 * Spec: Inbox › Timeline.
 */
export async function annotateMessage(
  tx: Transaction<DB>,
  { now }: Deps,
  channel: Channel,
  event: Annotation,
): Promise<void> {
  const providerMessageId = cleanText(event.ofProviderId)
  const found = await tx
    .selectFrom('message')
    .select('conversationId')
    .where('channelId', '=', channel.id)
    .where('providerMessageId', '=', providerMessageId)
    .executeTakeFirst()
  if (!found) return
  if (event.what !== 'reaction') {
    await lockConversations(tx, { ids: [found.conversationId], customers: [] })
  }
  const { rows } = await sql<{ conversationId: string }>`
    update message set ${assignmentsOf(event, now)}
    where channel_id = ${channel.id} and provider_message_id = ${providerMessageId}
      and ${changeCondition(event)}
    returning conversation_id`.execute(tx)
  if (event.what === 'reaction') return
  const conversationIds = rows.map(({ conversationId }) => conversationId)
  await showLastMessages(tx, { companyId: channel.company.id, conversationIds })
}

/**
 * Returns the condition under which the message may change. Customers react to any message; reactions of the business
 * are not recorded.
 */
function changeCondition({ what, by }: Annotation) {
  if (what === 'reaction') return by === 'customer' ? sql`true` : sql`false`
  return by === 'customer'
    ? sql`direction = 'in' and deleted_at is null`
    : sql`direction = 'out' and deleted_at is null`
}

/** Returns the SQL assignments of an annotation. */
function assignmentsOf(event: Annotation, now: Date) {
  const at = event.at ?? now
  switch (event.what) {
    case 'delete':
      return sql`deleted_at = ${at}`
    case 'reaction':
      return sql`reaction = ${event.emoji && cleanText(event.emoji)}`
    case 'edit': {
      const text = event.text === null ? null : cleanText(event.text)
      const earlier = sql`jsonb_build_object('text', text, 'until', ${at.toISOString()}::text)`
      // Keeps the newest texts: beyond the limit the oldest is dropped.
      return sql`text = ${text}, earlier_texts = case
        when text is not distinct from ${text}::text then earlier_texts
        when jsonb_array_length(earlier_texts) < ${MESSAGING_LIMITS.earlierTexts}
          then earlier_texts || ${earlier}
        else (earlier_texts - 0) || ${earlier} end`
    }
  }
}
