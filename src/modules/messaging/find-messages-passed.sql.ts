import { sql, type Transaction } from 'kysely'
import type { Receipt } from '../channels/inbound.ts'
import type { DB } from '../../infra/database/tables.ts'
import { ECHO_LIMITS } from '../../core/limits/messaging.ts'
import type { NamedMessage } from './record-receipt.ts'

/** A receipt of all that was sent to a customer until a time. */
export type Watermark = {
  channelId: string
  /** Where the conversation is known by what is filed; else by its id. */
  filedUnder: string | null
  conversationId: string | null
  status: 'delivered' | 'read'
  upTo: Date
  at: Date
}

/**
 * The sent messages that marks have passed and that did not come as far yet, the newest of each, with the
 * receipt that the mark is for each. What was begun before the time counts, by our clock: the provider gives no
 * time of its own to a message when it takes it.
 */
export async function findMessagesBelowWatermark(
  tx: Transaction<DB>,
  marks: readonly Watermark[],
): Promise<{ named: NamedMessage; receipt: Receipt }[]> {
  if (marks.length === 0) return []
  const { rows } = await sql<NamedMessage & { place: string; providerMessageId: string }>`
    select asked.place, passed.*
    from unnest(${marks.map(({ channelId }) => channelId)}::uuid[],
        ${marks.map(({ filedUnder }) => filedUnder)}::text[],
        ${marks.map(({ conversationId }) => conversationId)}::text[],
        ${marks.map(({ status }) => status)}::text[],
        ${marks.map(({ upTo }) => upTo)}::timestamptz[])
        with ordinality as asked (channel_id, filed_under, conversation_id, status, up_to, place)
      join conversation on conversation.channel_id = asked.channel_id
        and (conversation.id = asked.conversation_id or conversation.filed_under = asked.filed_under)
      cross join lateral (
        select id, conversation_id, run_id, occurred_at, arrival, provider_message_id from message
        where message.conversation_id = conversation.id and message.direction = 'out'
          and message.occurred_at <= asked.up_to and message.provider_message_id is not null
          and (message.status in ('accepted', 'sent')
            or (message.status = 'delivered' and asked.status = 'read'))
        order by occurred_at desc, arrival desc limit ${ECHO_LIMITS.messagesOfWatermark}
      ) passed
    order by asked.place, passed.occurred_at, passed.arrival`.execute(tx)
  return rows.map(({ place, providerMessageId, ...named }) => {
    const { status, at } = marks[Number(place) - 1]!
    return { named, receipt: { providerMessageId, status, at } }
  })
}
