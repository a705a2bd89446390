import { sql, type Kysely, type RawBuilder } from 'kysely'
import { FIRST_ID, leaseEnd, type Claimable } from '../../infra/database/queues/queue.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import type { DB } from '../../infra/database/tables.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { makeRunsDue } from './wake-runs.sql.ts'
import type { ClaimedMessage } from './queue-message.ts'

type ClaimedRow = {
  id: string
  accountId: string
  companyId: string
  channelId: string
  channelType: string
  isCoexistence: boolean
  lane: number
  claimId: string
}

/**
 * Takes queued messages that are due for this node, leased under the claim id. Accounts take turns, then the companies
 * of one, then its channels, of each staff's first, then the oldest, and none gets more than its share: what nobody had room for, what was refused for now, and what a
 * node that died had not begun. Channels after `after` are looked at, in their order; `next` is where to
 * go on, null at the end of the round. Channels that keep a distance are taken from elsewhere.
 *
 * Isolation: `skip locked` keeps two nodes from taking one message.
 */
export async function claimSends(
  db: Kysely<DB>,
  {
    claimId,
    now,
    limit,
    without,
    after = FIRST_ID,
  }: {
    claimId: string
    now: Date
    limit: number
    /** Channels of which, or of whose accounts, as many are in hand as may be. */
    without: readonly string[]
    after?: string
  },
): Promise<{ messages: ClaimedMessage[]; next: string | null }> {
  const { rows } = await sql<ClaimedRow | { id: null; channelId: string }>`
    with recursive waiting as (
      (select channel_id, 1 as place from message
        where due_at is not null and claim_id is null and channel_id > ${after}
        order by channel_id limit 1)
      union all
      select (select message.channel_id from message
        where due_at is not null and claim_id is null and message.channel_id > waiting.channel_id
        order by message.channel_id limit 1), waiting.place + 1
      from waiting
      where waiting.channel_id is not null and waiting.place < ${SEND_LIMITS.channelsPerClaim}
    ), of_channel as (
      select due.id, due.due_at, company_id, account_id,
        row_number() over (partition by waiting.channel_id order by due.lane, due.due_at) as nth
      from waiting
        cross join lateral (select company_id from channel where id = waiting.channel_id limit 1) channel
        cross join lateral (select account_id from company where id = company_id limit 1) company
        cross join lateral (
          select id, lane, due_at from message
          where message.channel_id = waiting.channel_id and message.due_at <= ${now}
            and message.claim_id is null and message.status = 'queued'
          order by message.lane, message.due_at
          limit ${Math.min(limit, SEND_LIMITS.inHandPerChannel)}::int
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
          select id from due where of_account <= ${SEND_LIMITS.inHandPerAccount}::int
          order by of_account, due_at limit ${limit}) due
        cross join lateral (
          select id from message
          where message.id = due.id and message.due_at <= ${now}
            and message.claim_id is null and message.status = 'queued'
          for update skip locked) message
    ), claimed as (
      update message set claim_id = ${claimId},
        lease_expires_at = ${leaseEnd(SEND_LIMITS, now)}
      where id = any(array(select id from picked))
      returning id, company_id, channel_id, lane, claim_id
    )
    select claimed.id, company.account_id, claimed.company_id, claimed.lane, claimed.claim_id, claimed.channel_id,
      channel.type as channel_type, channel.is_coexistence
    from claimed join channel on channel.id = claimed.channel_id
      join company on company.id = claimed.company_id
    union all
    (select null, null, null, null, null, channel_id, null, null from waiting
      where place = ${SEND_LIMITS.channelsPerClaim} and channel_id is not null)
  `.execute(db)
  return {
    messages: rows.flatMap((row) => (row.id === null ? [] : [inHandOf(row)])),
    next: rows.find(({ id }) => id === null)?.channelId ?? null,
  }
}

function inHandOf({
  channelId,
  channelType,
  isCoexistence,
  ...message
}: ClaimedRow): ClaimedMessage {
  return { ...message, channel: { id: channelId, type: channelType, isCoexistence } }
}

/**
 * Queues what the provider refused for now and what is due again, as a message of its own: the first
 * keeps what was said of it, and a receipt that names it shows that it went out after all. Its place of
 * the allowances goes over. At most one batch; returns how many.
 *
 * Isolation: what the new row refers to is locked before the message, in the order of the house, and what
 * somebody holds is left for later; `skip locked` keeps two nodes from renewing one message.
 */
export async function renewRefusedSends(db: Kysely<DB>, now: Date): Promise<number> {
  const { rows } = await sql`
    with failed as materialized (
      select id, conversation_id, run_id from message
      where due_at <= ${now} and claim_id is null and status = 'failed'
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
        and due_at <= ${now} and claim_id is null and status = 'failed'
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
      file_id, template_name, template_language, run_id, author_id, broadcast_id, reply_id, send_key, lane, attempt,
      status, outbound, due_at, occurred_at, created_at)
    select next_id, company_id, conversation_id, channel_id, direction, sender, type, text,
      file_id, template_name, template_language, run_id, author_id, broadcast_id, reply_id, send_key, lane,
      attempt + 1, 'queued', outbound, ${now}, ${now}, ${now}
    from refused order by occurred_at, arrival
    returning id
  `.execute(db)
  return rows.length
}

/** Messages that are to be sent: claimed by `claimSends` and `claimThrottledSends`. */
export const SEND_QUEUE: Claimable = {
  name: 'messages to send',
  table: 'message',
  due: 'due_at',
  leaseMs: SEND_LIMITS.leaseMs,
  release,
  nextDue: nextSendDue,
}

/**
 * What was not begun is queued for whoever takes it. A send that was under way is `unknown` and never
 * made again; its run is due, to wait for the provider to tell.
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
      -- Nothing has gone out: its channel waits for no gap, and the hour has its place back.
      update channel_throttle set message_id = null, next_at = ${now},
        recent = recent[:cardinality(recent) - 1]
      from released where channel_throttle.message_id = released.id and released.status = 'queued'
    ), told as (
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

/** When the next message is due, or the next lease ends; null when nothing waits. */
async function nextSendDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(due_at) from message where due_at is not null and claim_id is null
        and not exists (select 1 from channel_throttle where channel_throttle.channel_id = message.channel_id)),
      (select min(greatest(next_at, (select min(due_at) from message
          where message.channel_id = channel_throttle.channel_id and due_at is not null and claim_id is null)))
        from channel_throttle where exists (select 1 from message
          where message.channel_id = channel_throttle.channel_id and due_at is not null and claim_id is null)),
      (select min(lease_expires_at) from message where claim_id is not null)
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}
