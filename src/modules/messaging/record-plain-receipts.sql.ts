import { sql } from 'kysely'
import type { Database } from '../../infra/database/connect.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'

/** A receipt that may turn out to be plain, of a channel as it was opened. */
export type SimpleReceipt = {
  channelId: string
  /** What the provider names the channel by. */
  route: string
  providerMessageId: string
  status: 'sent' | 'delivered' | 'read'
  at: Date
}

/** From here on the outcome of the send is known: nobody waits to be told of it. In their order. */
const ACCEPTED: readonly SentMessageStatus[] = ['accepted', 'sent', 'delivered', 'read']

/**
 * Moves messages on whose send was accepted, which is nearly all that receipts tell, in one statement that
 * commits by itself: no run depends on them, so neither runs nor conversations are held, and none that is
 * held is waited for. Returns for each whether it was such a receipt, new or told before. The rest is left
 * to whoever holds what it takes: a send whose outcome is open, a channel that is gone or goes by
 * another route, a message of nobody.
 *
 * @param receipts of each message one.
 *
 * Isolation: the messages are locked in the order of ids, and what their rows say is looked at once they
 * are locked. A status that is in the list never leaves it to the left.
 */
export async function recordSimpleReceipts(
  db: Pick<Database, 'kysely'>,
  receipts: readonly SimpleReceipt[],
): Promise<boolean[]> {
  const { rows } = await oneStatement(db, (kysely) =>
    sql<{ place: string }>`
    with asked as (
      select * from unnest(
        ${receipts.map(({ channelId }) => channelId)}::uuid[],
        ${receipts.map(({ route }) => route)}::text[],
        ${receipts.map(({ providerMessageId }) => providerMessageId)}::text[],
        ${receipts.map(({ status }) => status)}::text[],
        ${receipts.map(({ at }) => at)}::timestamptz[]
      ) with ordinality as asked (channel_id, route, provider_message_id, status, at, place)
    ), found as materialized (
      select place, asked.status, at, message.id from asked
        cross join lateral (select from channel
          where channel.id = asked.channel_id and provider_route = asked.route
            and deleted_at is null limit 1) channel
        cross join lateral (select id from message
          where message.channel_id = asked.channel_id
            and message.provider_message_id = asked.provider_message_id
            and direction = 'out' limit 1) message
    ), held as materialized (
      select id, array_position(${ACCEPTED}::text[], status) as stands from message
      where id = any(array(select id from found)) order by id for update
    ), plain as materialized (
      select found.*, stands from found join held using (id) where stands is not null
    ), moved as (
      update message set status = plain.status,
        sent_at = coalesce(message.sent_at, plain.at),
        delivered_at = case when plain.status = 'sent' then message.delivered_at
          else coalesce(message.delivered_at, plain.at) end,
        read_at = case when plain.status = 'read' then plain.at else message.read_at end
      from plain
      where message.id = plain.id and message.id = any(array(select id from plain))
        and array_position(${ACCEPTED}::text[], plain.status) > stands
    )
    select place from plain
  `.execute(kysely),
  )
  const plain = new Set(rows.map(({ place }) => Number(place) - 1))
  return receipts.map((_, place) => plain.has(place))
}
