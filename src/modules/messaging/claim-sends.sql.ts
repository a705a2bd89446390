import { sql, type Kysely, type RawBuilder } from 'kysely'
import {
  FIRST_ID,
  isClaimed,
  isSince,
  leaseEnd,
  type Claimable,
  type Since,
} from '../../infra/database/queues/queue.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import type { DB } from '../../infra/database/tables.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { makeRunsDue } from './make-runs-due.sql.ts'
import { oldestMessageIdAt, type ClaimedMessage } from './queue-message.ts'

type ClaimedRow = {
  id: string
  accountId: string
  companyId: string
  channelId: string
  channelType: string
  isCoexistence: boolean
  priority: number
  claimId: string
}

/**
 * Claims due queued messages for this node with a lease. Round-robin by account, then by company, then by channel;
 * within a channel by priority (staff first), then by age. These are messages without an eager claim, retries, and
 * unstarted ones of a dead node. Channels after `after` are examined, in order; `next` is the cursor of the next
 * call, null at the end of the round. Throttled channels are claimed by `claimThrottledSends`.
 *
 * Isolation: `skip locked` keeps two nodes from claiming one message. For `num_nonnulls` see `claim`.
 */
export async function claimSends(
  db: Kysely<DB>,
  {
    claimId,
    now,
    since = null,
    limit,
    without,
    after = FIRST_ID,
  }: {
    claimId: string
    now: Date
    /** Messages that were due earlier are not read. */
    since?: Since
    limit: number
    /** Channels whose slots, or whose account's slots, are all in use. */
    without: readonly string[]
    after?: string
  },
): Promise<{ messages: ClaimedMessage[]; next: string | null }> {
  const isDueSince = since
    ? isSince(sql`message.due_at`, since)
    : sql`and message.due_at is not null`
  const { rows } = await sql<ClaimedRow | { id: null; channelId: string }>`
    with recursive waiting as (
      (select channel_id, 1 as nth_channel from message
        where claim_id is null and channel_id > ${after} ${isDueSince}
        order by channel_id limit 1)
      union all
      select (select message.channel_id from message
        where claim_id is null and message.channel_id > waiting.channel_id ${isDueSince}
        order by message.channel_id limit 1), waiting.nth_channel + 1
      from waiting
      where waiting.channel_id is not null and waiting.nth_channel < ${SEND_LIMITS.channelsPerClaim}
    ), of_channel as (
      select due.id, due.due_at, company_id, account_id,
        row_number() over (partition by waiting.channel_id order by due.priority, due.due_at) as nth
      from waiting
        cross join lateral (select company_id from channel where id = waiting.channel_id limit 1) channel
        cross join lateral (select account_id from company where id = company_id limit 1) company
        cross join lateral (
          select id, priority, due_at from message
          where message.channel_id = waiting.channel_id and message.due_at <= ${now}
            and message.claim_id is null and message.status = 'queued' ${isDueSince}
          order by message.priority, message.due_at
          limit ${Math.min(limit, SEND_LIMITS.claimedPerChannel)}::int
        ) due
      where waiting.channel_id <> all (${without}::uuid[])
        and not exists (select 1 from channel_throttle where channel_throttle.channel_id = waiting.channel_id)
    ), of_company as (
      select *, row_number() over (partition by company_id order by nth, due_at) as of_company
      from of_channel
    ), due as (
      select id, due_at,
        row_number() over (partition by account_id order by of_company, due_at) as of_account
      from of_company
    ), picked as materialized (
      select message.id from (
          select id from due where of_account <= ${SEND_LIMITS.claimedPerAccount}::int
          order by of_account, due_at limit ${limit}) due
        cross join lateral (
          select id from message
          where message.id = due.id and message.due_at <= ${now}
            and num_nonnulls(message.claim_id) = 0 and message.status = 'queued'
          for update skip locked) message
    ), claimed as (
      update message set claim_id = ${claimId},
        lease_expires_at = ${leaseEnd(SEND_LIMITS, now)}
      where id = any(array(select id from picked))
      returning id, company_id, channel_id, priority, claim_id
    )
    select claimed.id, company.account_id, claimed.company_id, claimed.priority, claimed.claim_id, claimed.channel_id,
      channel.type as channel_type, channel.is_coexistence
    from claimed join channel on channel.id = claimed.channel_id
      join company on company.id = claimed.company_id
    union all
    (select null, null, null, null, null, channel_id, null, null from waiting
      where nth_channel = ${SEND_LIMITS.channelsPerClaim} and channel_id is not null)
  `.execute(db)
  return {
    messages: rows.flatMap((row) => (row.id === null ? [] : [toClaimedMessage(row)])),
    next: rows.find(({ id }) => id === null)?.channelId ?? null,
  }
}

function toClaimedMessage({
  channelId,
  channelType,
  isCoexistence,
  ...message
}: ClaimedRow): ClaimedMessage {
  return { ...message, channel: { id: channelId, type: channelType, isCoexistence } }
}

/**
 * Queues each temporarily refused message whose retry is due, as a new message. The first one keeps its error; a
 * receipt for it shows that it was sent after all. The new message takes over its reserved template allowance.
 * Handles at most one batch and returns how many. Messages that were due before `since` are not read.
 *
 * Isolation: the rows that the new message refers to are locked before the message, in the service's lock order. Rows
 * that another transaction has locked are left for later; `skip locked` keeps two nodes from renewing one message.
 */
export async function renewRefusedSends(
  db: Kysely<DB>,
  now: Date,
  since: Since = null,
): Promise<number> {
  const { rows } = await sql`
    with failed as materialized (
      select id, conversation_id, run_id from message
      where due_at <= ${now} and claim_id is null and status = 'failed' ${isSince(sql`due_at`, since)}
      limit ${SEND_LIMITS.batch}
    ), conversations as materialized (
      select id from conversation where id = any(array(select conversation_id from failed))
      order by id for key share skip locked
    ), runs as materialized (
      select id from flow_run
      where id = any(array(select run_id from failed)) and (select count(*) from conversations) >= 0
      order by id for key share skip locked
    ), due as materialized (
      select id from message
      where id = any(array(select id from failed
          where conversation_id in (select id from conversations)
            and (run_id is null or run_id in (select id from runs))))
        and due_at <= ${now} and num_nonnulls(claim_id) = 0 and status = 'failed'
      order by id for update skip locked
    ), refused as (
      select message.*, 'o_' || replace(new_uuid_v7(${now})::text, '-', '') as next_id
      from due join message on message.id = due.id
    ), done as (
      update message set due_at = null, outbound = null, broadcast_id = null
      where id = any(array(select id from due))
    ), of_recipients as (
      update broadcast_recipient set message_id = refused.next_id
      from refused where broadcast_recipient.message_id = refused.id
    ), moved as (
      update template_send set message_id = refused.next_id
      from refused where template_send.message_id = refused.id
    )
    insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, text,
      file_id, template_name, template_language, run_id, author_id, broadcast_id, reply_id, send_key, priority, attempt,
      status, outbound, due_at, occurred_at, created_at)
    select next_id, company_id, conversation_id, channel_id, direction, sender, type, text,
      file_id, template_name, template_language, run_id, author_id, broadcast_id, reply_id, send_key, priority,
      attempt + 1, 'queued', outbound, ${now}, ${now}, ${now}
    from refused order by occurred_at, arrival
    returning id
  `.execute(db)
  return rows.length
}

/** A claimed message is rarely older than this. */
const SENT_WITHIN_MS = 10 * MINUTE_MS

/** The queue of messages to send. `claimSends` and `claimThrottledSends` claim its rows. */
export const SEND_QUEUE: Claimable = {
  name: 'messages to send',
  table: 'message',
  due: 'due_at',
  leaseMs: SEND_LIMITS.leaseMs,
  release,
  nextDue: nextSendDue,
  earliest: earliestSend,
  isClaimSince: (since) =>
    sql`id >= ${oldestMessageIdAt(new Date(since.getTime() - SENT_WITHIN_MS))}`,
}

/**
 * Releases the claims that `isLost` selects, and returns how many. A message that was not started is queued again. One
 * that was being sent becomes `unknown` and is never sent again; its run becomes due, to wait for a receipt.
 *
 * Isolation: the runs are locked before their messages, each in the order of ids.
 */
async function release(
  kysely: Kysely<DB>,
  now: Date,
  isLost: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await oneStatement({ kysely }, (db) =>
    sql`
    with lost as materialized (
      select id, run_id from message where claim_id is not null and ${isLost}
    ), runs as materialized (
      select id, company_id, status, wait_kind from flow_run
      where id = any(array(select run_id from lost))
      order by id for update
    ), messages as materialized (
      select id from message
      where id = any(array(select id from lost)) and claim_id is not null and ${isLost}
        and (select count(*) from runs) >= 0
      order by id for update
    ), released as (
      update message set
        status = case status when 'sending' then 'unknown' else status end,
        due_at = case status when 'queued' then due_at end,
        outbound = case status when 'queued' then outbound end,
        claim_id = null, lease_expires_at = null
      where id = any(array(select id from messages))
      returning id, run_id, reply_id, status
    ), replies as (
      update assistant_reply set due_at = ${now} where state = 'sending'
        and id = any(array(select reply_id from released where status <> 'queued'))
    ), free as (
      -- Nothing was sent: the channel needs no gap, and the hourly cap is restored.
      update channel_throttle set message_id = null, next_at = ${now},
        recent = recent[:cardinality(recent) - 1]
      from released where channel_throttle.message_id = released.id and released.status = 'queued'
    ), resumed as (
      ${makeRunsDue(
        sql`select * from runs
          where id = any(array(select run_id from released where status <> 'queued'))
            and (status = 'running' or wait_kind = 'sent')`,
        now,
      )}
    )
    select id from released
  `.execute(db),
  )
  return rows.length
}

/**
 * Returns when the next message is due or the next lease ends; null when nothing waits. For the order by priority see
 * `claimThrottledSends`.
 */
async function nextSendDue(db: Kysely<DB>, since: Since): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(due_at) from message where due_at is not null and claim_id is null
        ${isSince(sql`due_at`, since)} and not exists (select 1 from channel_throttle where channel_throttle.channel_id = message.channel_id)),
      (select min(greatest(next_at, due_at)) from channel_throttle cross join lateral (
          select min(due_at) as due_at from (select due_at from message
            where message.channel_id = channel_throttle.channel_id and due_at is not null and claim_id is null
            order by priority, due_at) waiting) first
        where due_at is not null),
      (select min(lease_expires_at) from message where ${isClaimed(SEND_QUEUE, since)})
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}

/**
 * Returns the earliest due time or end of a lease of all messages; null when none waits. Messages of throttled channels
 * are left out: they may wait for hours, and are claimed without a lower bound.
 */
async function earliestSend(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(due_at) from message where due_at is not null and claim_id is null
        and (status = 'failed' or not exists (select 1 from channel_throttle
          where channel_throttle.channel_id = message.channel_id))),
      (select min(lease_expires_at) from message where claim_id is not null)
    ) as at`.execute(db)
  return rows[0]?.at ?? null
}
