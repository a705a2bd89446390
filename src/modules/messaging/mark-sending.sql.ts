import { sql } from 'kysely'
import type { Outbound } from '../channels/channel-adapter.ts'
import type { CustomerRef } from '../channels/inbound.ts'
import type { Database } from '../../infra/database/connect.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import { createBatcherPerDatabase } from '../../infra/database/batcher.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { customerAddress } from './contact.ts'
import { ownAddress, type OwnAddress } from './own-address.sql.ts'
import { rateOf, RATE_STRETCH_MS } from './send-rate.ts'
import type { QueuedSendFacts } from './may-send.ts'
import type { Sender } from '../../rules/messaging/may-send.ts'
import type { ClaimedMessage } from './queue-message.ts'

type SendToBegin = ClaimedMessage & {
  now: Date
  /** The answer of the try before was lost, and nothing has been sent since. */
  isAgain?: boolean
}

export type SendingMessage = ClaimedMessage & {
  company: { id: string; name: string | null }
  contactId: string | null
  conversationId: string
  attempt: number
  runId: string | null
  replyId: string | null
  content: Outbound
  /** Within which the channel's business-scoped ids are ids. */
  scope: string
  /** Null where the customer can be reached by nothing any more. */
  to: CustomerRef | null
  facts: QueuedSendFacts
  /** False once whoever had something to say has ended, or has said it. */
  isStillWanted: boolean
}

/** The channel has sent as many as it may in a second: the message may begin after so long. */
type SendTooSoon = { waitMs: number }

/**
 * Writes down that a message in hand is about to go out, under a lease that begins now, and reads what
 * decides whether it may. Null when its claim has ended, or it was begun before: it must not go out. Nor
 * must a further try once an earlier one is known to have gone out after all. Where the answer of this statement was
 * lost it is asked again: what stands begun under the claim was begun by the try before.
 * Messages that begin at the same time share a statement.
 *
 * Of a channel that sends at a rate no more begin than it has room for in this second, by the clock of the database,
 * which all processes share; the others are not begun.
 *
 * Isolation: of two workers that each believe a message theirs, only the one whose claim it carries
 * finds it, and only once. The rates are locked first, in the order of channels, and read once they are.
 */
export const beginSend = createBatcherPerDatabase<
  Pick<Database, 'kysely'>,
  SendToBegin,
  SendingMessage | SendTooSoon | null
>({
  most: SEND_LIMITS.batch,
  isHalved: true,
  run: markSending,
})

type BegunRow = OwnAddress & {
  id: string
  companyName: string | null
  plan: string
  contactId: string | null
  conversationId: string
  attempt: number
  runId: string | null
  replyId: string | null
  isStillWanted: boolean
  outbound: string
  channelType: string
  filedUnder: string
  sender: string
  optedOutAt: Date | null
  handledBy: string
  takenOverUntil: Date | null
  /** After the first try was queued: before, whoever queued it was allowed to. */
  isTakenOverSince: boolean
  lastCustomerAt: Date | null
  isConnected: boolean
  disconnectedReason: string | null
  scope: string
}

async function markSending(
  db: Pick<Database, 'kysely'>,
  asked: readonly SendToBegin[],
): Promise<(SendingMessage | SendTooSoon | null)[]> {
  const leaseEndsAt = leaseEnd(SEND_LIMITS, asked[0]!.now)
  const { rows } = await oneStatement(db, (kysely) =>
    sql<Waits & (BegunRow | { id: null })>`
    with asked as materialized (
      select *, row_number() over (partition by channel_id order by place) as nth
      from unnest(${asked.map(({ id }) => id)}::text[],
        ${asked.map(({ claimId }) => claimId)}::uuid[],
        ${asked.map(({ isAgain }) => isAgain === true)}::boolean[],
        ${asked.map(({ channel }) => channel.id)}::uuid[],
        ${asked.map(({ channel }) => rateOf(channel))}::int[]
      ) with ordinality as asked (id, claim, is_again, channel_id, per_second, place)
    ), rate as (${BEGIN_BY_RATE}), begun as (
      update message set status = 'sending', lease_expires_at = ${leaseEndsAt}
      from (
        select id, claim, is_again from asked left join rate using (channel_id)
        where asked.per_second is null or nth <= granted
      ) asked
      where message.id = asked.id and message.claim_id is not distinct from asked.claim
        and (message.status = 'queued' or (asked.is_again and message.status = 'sending'))
      returning message.id, message.company_id, message.conversation_id, message.channel_id,
        message.run_id, message.reply_id, message.sender, message.send_key, message.attempt,
        message.template_name, message.outbound, message.created_at
    )
    select waits.of_channels, sends.* from (
      select coalesce(json_object_agg(channel_id, ${FREE_AFTER_MS}), '{}') as of_channels
      from rate where cardinality(begun_at) >= per_second
    ) waits left join (
    select begun.id, begun.attempt, begun.outbound, begun.run_id, begun.reply_id,
      begun.conversation_id,
      (begun.run_id is null or (run.ended_at is null and run.cancel_detail is null
          and run.flow_deleted_at is null))
        and reply.is_over is not true
        and not coalesce(earlier.has_gone_out, false) as is_still_wanted,
      conversation.contact_id, conversation.channel_type, conversation.filed_under,
      conversation.handled_by, conversation.taken_over_until, conversation.last_customer_at,
      coalesce(conversation.taken_over_at > coalesce(earlier.created_at, begun.created_at), false)
        as is_taken_over_since,
      own.*,
      contact.opted_out_at, begun.sender,
      channel.is_connected, channel.disconnected_reason,
      coalesce(channel.provider_account, channel.id::text) as scope,
      paid.company_name, paid.plan
    from begun
      cross join lateral (select * from conversation
        where conversation.id = begun.conversation_id limit 1) conversation
      cross join lateral (select * from channel where channel.id = begun.channel_id limit 1) channel
      cross join lateral (select company.name as company_name, account.plan
        from company join account on account.id = company.account_id
        where company.id = begun.company_id limit 1) paid
      left join lateral (select * from contact
        where contact.id = conversation.contact_id limit 1) contact on true
      cross join lateral (${ownAddress({
        isReply: sql`begun.template_name is null and conversation.last_customer_at is not null`,
        scope: sql`coalesce(channel.provider_account, channel.id::text)`,
      })} limit 1) own
      left join lateral (select flow_run.ended_at, flow_run.cancel_detail,
          flow.deleted_at as flow_deleted_at
        from flow_run join flow on flow.id = flow_run.flow_id
        where flow_run.id = begun.run_id limit 1) run on true
      left join lateral (select assistant_reply.state = 'cancelled' as is_over
        from assistant_reply where assistant_reply.id = begun.reply_id limit 1) reply on true
      left join lateral (select min(created_at) as created_at,
          bool_or(status in ('accepted', 'sent', 'delivered', 'read')) as has_gone_out
        from message before
        where before.send_key = begun.send_key and before.attempt < begun.attempt) earlier on true
    ) sends on true
  `.execute(kysely),
  )
  const byId = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row]])))
  const { ofChannels } = rows[0]!
  return asked.map((message) => {
    const row = byId.get(message.id)
    if (row) return begunSend(message, row)
    const waitMs = ofChannels[message.channel.id]
    return waitMs === undefined ? null : { waitMs }
  })
}

/** Of channels that are full, after how many milliseconds they have room again. */
type Waits = { ofChannels: Record<string, number> }

/** Counts in what may begin now of each channel with a rate; tells how many that are. */
const BEGIN_BY_RATE = sql`
  insert into send_rate as known (channel_id, per_second, granted, begun_at)
  select channel_id, per_second, wanted, array_fill(clock_timestamp(), array[wanted])
  from (
    select channel_id, max(per_second) as per_second, least(count(*), max(per_second))::int as wanted
    from asked where per_second is not null
    group by channel_id order by channel_id
  ) channel
  on conflict (channel_id) do update set (per_second, granted, begun_at) = (
    select excluded.per_second, room.granted, of_second.begun_at || array_fill(at, array[room.granted])
    from clock_timestamp() as at
      cross join lateral (
        select array(select begun from unnest(known.begun_at) as begun
          where begun > at - ${RATE_STRETCH_MS} * interval '1 ms'
            and begun <= at + ${RATE_STRETCH_MS} * interval '1 ms'
          order by begun) as begun_at) of_second
      cross join lateral (
        select greatest(0, least(excluded.granted, excluded.per_second - cardinality(of_second.begun_at)))
          as granted) room)
  returning channel_id, per_second, granted, begun_at`

/** Not when the first place of a full channel is free, but a few: who waits asks a few times a second. */
const FREE_AFTER_MS = sql`
  greatest(10, ceil(extract(epoch from
    begun_at[1 + per_second / 5] - clock_timestamp()) * 1000 + ${RATE_STRETCH_MS}))::int`

const SENDERS: Readonly<Record<string, Sender>> = {
  staff: 'member',
  assistant: 'assistant',
  broadcast: 'broadcast',
  notice: 'notice',
}

function begunSend(message: ClaimedMessage, row: BegunRow): SendingMessage {
  const { plan, handledBy, takenOverUntil, isTakenOverSince, lastCustomerAt } = row
  const { isConnected, disconnectedReason } = row
  const by = SENDERS[row.sender] ?? 'flow'
  const isKeptOut = by === 'flow' || by === 'assistant'
  return {
    ...message,
    company: { id: message.companyId, name: row.companyName },
    contactId: row.contactId,
    conversationId: row.conversationId,
    attempt: row.attempt,
    runId: row.runId,
    replyId: row.replyId,
    isStillWanted: row.isStillWanted,
    content: JSON.parse(row.outbound) as Outbound,
    scope: row.scope,
    to: customerAddress(row, row),
    facts: {
      channel: { type: row.channelType, isConnected, disconnectedReason },
      plan,
      by,
      optedOutAt: row.optedOutAt,
      handling: isKeptOut && isTakenOverSince ? { handledBy, takenOverUntil } : null,
      lastCustomerAt,
    },
  }
}
