import { sql, type Transaction } from 'kysely'
import type { Receipt } from '../channels/inbound.ts'
import type { DB } from '../../infra/database/tables.ts'
import { ECHO_LIMITS } from '../../core/limits/messaging.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import type { NamedMessage } from './record-receipt.ts'

/** A watermark receipt: it covers all messages sent to a customer until a time. */
export type Watermark = {
  channelId: string
  /** An identifier of the customer, unless `conversationId` names the conversation. */
  customer: (Identifier & { companyId: string }) | null
  conversationId: string | null
  status: 'delivered' | 'read'
  upTo: Date
  at: Date
}

/**
 * Returns the sent messages that watermarks cover and that do not have the status yet, the newest of each watermark,
 * each with its receipt. Messages started before the time count, by this service's clock: the provider gives accepted
 * messages no time.
 */
export async function findMessagesBelowWatermark(
  tx: Transaction<DB>,
  watermarks: readonly Watermark[],
): Promise<{ named: NamedMessage; receipt: Receipt }[]> {
  if (watermarks.length === 0) return []
  const { rows } = await sql<NamedMessage & { nth: string; providerMessageId: string }>`
    select mark.nth, passed.*
    from unnest(${watermarks.map(({ channelId }) => channelId)}::uuid[],
        ${watermarks.map(({ customer }) => customer?.companyId ?? null)}::uuid[],
        ${watermarks.map(({ customer }) => customer?.kind ?? null)}::text[],
        ${watermarks.map(({ customer }) => customer?.key ?? null)}::text[],
        ${watermarks.map(({ conversationId }) => conversationId)}::text[],
        ${watermarks.map(({ status }) => status)}::text[],
        ${watermarks.map(({ upTo }) => upTo)}::timestamptz[])
        with ordinality as mark (channel_id, company_id, kind, key, conversation_id, status, up_to, nth)
      cross join lateral (
        select mark.conversation_id as id where mark.conversation_id is not null
        union all
        select by_identity.id from identifier join conversation by_identity
          on by_identity.identity_id = identifier.identity_id and by_identity.channel_id = mark.channel_id
        where identifier.company_id = mark.company_id and identifier.kind = mark.kind
          and identifier.key = mark.key and identifier.state <> 'left'
      ) conversation
      cross join lateral (
        select id, conversation_id, run_id, occurred_at, arrival, provider_message_id from message
        where message.conversation_id = conversation.id and message.direction = 'out'
          and message.occurred_at <= mark.up_to and message.provider_message_id is not null
          and (message.status in ('accepted', 'sent')
            or (message.status = 'delivered' and mark.status = 'read'))
        order by occurred_at desc, arrival desc limit ${ECHO_LIMITS.messagesOfWatermark}
      ) passed
    order by mark.nth, passed.occurred_at, passed.arrival`.execute(tx)
  return rows.map(({ nth, providerMessageId, ...named }) => {
    const { status, at } = watermarks[Number(nth) - 1]!
    return { named, receipt: { providerMessageId, status, at } }
  })
}
