import { sql } from 'kysely'
import type { Database } from '../../infra/database/connect.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'

/** A receipt that may qualify for the fast path, of a channel as it was read. */
export type SimpleReceipt = {
  channelId: string
  /** The provider's name for the channel. */
  route: string
  providerMessageId: string
  status: 'sent' | 'delivered' | 'read'
  at: Date
}

/** The statuses after a send's outcome is known, in their order: no run waits for them. */
const ACCEPTED: readonly SentMessageStatus[] = ['accepted', 'sent', 'delivered', 'read']

/**
 * Records receipts of accepted sends, nearly all receipts, in one auto-committed statement. No run depends on them,
 * so neither runs nor conversations are locked or waited for. Returns for each whether it was such a receipt, new or
 * repeated. All others need the slow path: a send without an outcome, a deleted or re-routed channel, an account on
 * hold, an unknown message.
 *
 * @param receipts at most one per message.
 *
 * Isolation: messages are updated without a lock before, which would be another write for each and a sixth more WAL.
 * The usual plan joins them in id order; if another plan does not, and two batches block each other, PostgreSQL aborts
 * one of them and `oneStatement` runs it again. A row that another transaction has just changed is evaluated as it is
 * then: if the receipt no longer moves it forward, the slow path decides. A status in `ACCEPTED` never moves back to
 * one before it.
 */
export async function recordSimpleReceipts(
  db: Pick<Database, 'kysely'>,
  receipts: readonly SimpleReceipt[],
): Promise<boolean[]> {
  const { rows } = await oneStatement(db, (kysely) =>
    sql<{ nth: string }>`
    with requested as (
      select * from unnest(
        ${receipts.map(({ channelId }) => channelId)}::uuid[],
        ${receipts.map(({ route }) => route)}::text[],
        ${receipts.map(({ providerMessageId }) => providerMessageId)}::text[],
        ${receipts.map(({ status }) => status)}::text[],
        ${receipts.map(({ at }) => at)}::timestamptz[]
      ) with ordinality as requested (channel_id, route, provider_message_id, status, at, nth)
    ), found as materialized (
      select nth, requested.status, at, message.id,
        array_position(${ACCEPTED}::text[], message.status)
          >= array_position(${ACCEPTED}::text[], requested.status) as is_repeated
      from requested
        cross join lateral (select from channel
          join company on company.id = channel.company_id join account on account.id = company.account_id
          where channel.id = requested.channel_id and provider_route = requested.route
            and channel.deleted_at is null and account.hold is null limit 1) channel
        cross join lateral (select id, status from message
          where message.channel_id = requested.channel_id
            and message.provider_message_id = requested.provider_message_id
            and direction = 'out' limit 1) message
      order by message.id
    ), moved as (
      update message set status = found.status,
        sent_at = coalesce(message.sent_at, found.at),
        delivered_at = case when found.status = 'sent' then message.delivered_at
          else coalesce(message.delivered_at, found.at) end,
        read_at = case when found.status = 'read' then found.at else message.read_at end
      from found
      where message.id = found.id and message.id = any(array(select id from found))
        and array_position(${ACCEPTED}::text[], found.status)
          > array_position(${ACCEPTED}::text[], message.status)
      returning message.id
    )
    select nth from found where is_repeated or id in (select id from moved)
  `.execute(kysely),
  )
  const recorded = new Set(rows.map(({ nth }) => Number(nth) - 1))
  return receipts.map((_, nth) => recorded.has(nth))
}
