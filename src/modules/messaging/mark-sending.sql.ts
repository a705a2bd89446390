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
import type { QueuedSendInputs } from './may-send.ts'
import type { Sender } from '../../rules/messaging/may-send.ts'
import type { ClaimedMessage } from './queue-message.ts'

/** A claimed message whose send begins. */
type SendToBegin = ClaimedMessage & {
  now: Date
  /** The result of the previous try was lost, and nothing has been sent since. */
  isAgain?: boolean
}

/** A message that is being sent, with what decides whether it may go out. */
export type SendingMessage = ClaimedMessage & {
  company: { id: string; name: string | null }
  contactId: string | null
  conversationId: string
  attempt: number
  runId: string | null
  replyId: string | null
  content: Outbound
  /** The scope in which the channel's business-scoped ids are unique. */
  scope: string
  /** The current address; null when the customer has none left. */
  to: CustomerRef | null
  facts: QueuedSendInputs
  /** States whether the run or reply still wants it sent: it has not ended, and no earlier attempt went out. */
  isStillWanted: boolean
}

/** The channel's rate for this second is exhausted: the message may start after `waitMs`. */
type SendTooSoon = { waitMs: number }

/**
 * Marks a claimed message as `sending` before the request, with a renewed lease (write-ahead), and loads what decides
 * whether it may go out. Returns null when its claim has ended or another try started it; it must not go out then.
 * With `isAgain` a message started under this claim is returned again. Messages that start at the same time share a
 * statement.
 *
 * On a channel with a rate, only as many start as the rate allows this second, by the database's clock, which all
 * processes share.
 *
 * Isolation: of two workers that each believe a message theirs, only the one with its claim finds it, and only once.
 * The rates are locked first, in channel order, and read once they are locked.
 */
export const beginSend = createBatcherPerDatabase<
  Pick<Database, 'kysely'>,
  SendToBegin,
  SendingMessage | SendTooSoon | null
>({
  maxSize: SEND_LIMITS.batch,
  bisectOnError: true,
  run: markSending,
})

type SendingRow = OwnAddress & {
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
  /** States whether staff took over after the first try was queued; at that time the sender was allowed to. */
  isTakenOverSince: boolean
  lastCustomerAt: Date | null
  isConnected: boolean
  disconnectedReason: string | null
  scope: string
}

async function markSending(
  db: Pick<Database, 'kysely'>,
  requested: readonly SendToBegin[],
): Promise<(SendingMessage | SendTooSoon | null)[]> {
  const leaseEndsAt = leaseEnd(SEND_LIMITS, requested[0]!.now)
  const { rows } = await oneStatement(db, (kysely) =>
    sql<Waits & (SendingRow | { id: null })>`
    with requested as materialized (
      select *, row_number() over (partition by channel_id order by ordinal) as nth
      from unnest(${requested.map(({ id }) => id)}::text[],
        ${requested.map(({ claimId }) => claimId)}::uuid[],
        ${requested.map(({ isAgain }) => isAgain === true)}::boolean[],
        ${requested.map(({ channel }) => channel.id)}::uuid[],
        ${requested.map(({ channel }) => rateOf(channel))}::int[]
      ) with ordinality as requested (id, claim, is_again, channel_id, per_second, ordinal)
    ), rate as (${RESERVE_WITHIN_RATE}), begun as (
      update message set status = 'sending', lease_expires_at = ${leaseEndsAt}
      from (
        select id, claim, is_again from requested left join rate using (channel_id)
        where requested.per_second is null or nth <= granted
      ) requested
      where message.id = requested.id and message.claim_id is not distinct from requested.claim
        and (message.status = 'queued' or (requested.is_again and message.status = 'sending'))
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
  return requested.map((message) => {
    const row = byId.get(message.id)
    if (row) return toSendingMessage(message, row)
    const waitMs = ofChannels[message.channel.id]
    return waitMs === undefined ? null : { waitMs }
  })
}

/** The time in ms until each full channel may send again. */
type Waits = { ofChannels: Record<string, number> }

/** Reserves starts within each channel's rate and returns how many were granted. */
const RESERVE_WITHIN_RATE = sql`
  insert into send_rate as known (channel_id, per_second, granted, begun_at)
  select channel_id, per_second, wanted, array_fill(clock_timestamp(), array[wanted])
  from (
    select channel_id, max(per_second) as per_second, least(count(*), max(per_second))::int as wanted
    from requested where per_second is not null
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

/** The time until a few starts are free again, instead of one: waiting senders query several times a second. */
const FREE_AFTER_MS = sql`
  greatest(10, ceil(extract(epoch from
    begun_at[1 + per_second / 5] - clock_timestamp()) * 1000 + ${RATE_STRETCH_MS}))::int`

const SENDERS: Readonly<Record<string, Sender>> = {
  staff: 'member',
  assistant: 'assistant',
  broadcast: 'broadcast',
  notice: 'notice',
}

function toSendingMessage(message: ClaimedMessage, row: SendingRow): SendingMessage {
  const { plan, handledBy, takenOverUntil, isTakenOverSince, lastCustomerAt } = row
  const { isConnected, disconnectedReason } = row
  const by = SENDERS[row.sender] ?? 'flow'
  const yieldsToStaff = by === 'flow' || by === 'assistant'
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
      handling: yieldsToStaff && isTakenOverSince ? { handledBy, takenOverUntil } : null,
      lastCustomerAt,
    },
  }
}
