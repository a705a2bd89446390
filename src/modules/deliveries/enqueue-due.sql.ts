import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isSince, type Since } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'
import { PLANS_WITH_WEBHOOKS } from '../events/plans-with-webhooks.ts'

/**
 * Moves deliveries that came due into their queue: first attempts, retries and resends, or tests. Also decides
 * deliveries of endpoints that went off, were deleted lately, or that a claim reported as not live. An endpoint that
 * is off gets all of its deliveries held; a plan without webhooks, the due ones. A deleted endpoint gets all
 * cancelled, held ones included. A delivery is superseded when a resend of its event was delivered. Deliveries before
 * `since` are not read. Returns the batch's size; at 500 there may be more.
 *
 * Isolation: rows are locked in id order with `skip locked`, so that two nodes share them. A claimed row is decided
 * when its attempt ends. A row that another node has attempted since it was read is due later, and enters no queue.
 * Spec: States › Delivery; reading D12.
 */
export async function enqueueDueDeliveries(
  db: Kysely<DB>,
  { now, since = null, notLive }: { now: Date; since?: Since; notLive: readonly string[] },
): Promise<number> {
  const limit = DELIVERY_ENGINE.readyBatch
  const lately = latelyBefore(now)
  const isDueSince = isSince(sql`due_at`, since)
  const { rows } = await sql<{ count: number }>`
    with changed as materialized (
      select id, is_on, deleted_at is not null as is_deleted from endpoint where off_at > ${lately}
      union select id, is_on, true from endpoint where deleted_at > ${lately}
      union select id, is_on, deleted_at is not null from endpoint where id = any(${notLive}::uuid[])
    ), picked as (
      (select id from delivery_queue
        where queue = 'later' and claim_id is null and due_at <= ${now} ${isDueSince}
        order by due_at limit ${limit})
      union
      (select delivery.id from changed
          cross join unnest(case when is_deleted then array['first', 'retry', 'test', 'later']
            else array['first', 'retry', 'later'] end) as of_changed (queue)
          cross join lateral (
            select id from delivery_queue
            where queue = of_changed.queue and endpoint_id = changed.id and claim_id is null
              and (changed.is_deleted or not changed.is_on or due_at <= ${now}) ${isDueSince}
            limit ${limit}) delivery
        limit ${limit})
      union
      (select delivery.id from changed cross join lateral (
          select id from delivery_queue
          where queue = 'held' and endpoint_id = changed.id and claim_id is null limit ${limit}) delivery
        where changed.is_deleted limit ${limit})
    ), locked as materialized (
      select queued.*, delivery.event_id, delivery.attempts
      from (select id from picked order by id limit ${limit}) picked
        cross join lateral (
          select id, endpoint_id, kind from delivery_queue
          where id = picked.id and num_nonnulls(claim_id) = 0 for update skip locked) queued
        cross join lateral (select event_id, attempts from webhook_delivery
          where id = queued.id limit 1) delivery
    ), decided as materialized (
      select locked.id, case
          when endpoint.deleted_at is not null then 'cancelled'
          when locked.kind = 'test' then 'pending'
          when locked.kind = 'event' and locked.attempts > 0 and exists (
            select from webhook_delivery resend
            where resend.event_id = locked.event_id and resend.endpoint_id = locked.endpoint_id
              and resend.id > oldest_resend(locked.event_id) and resend.kind = 'resend'
              and resend.state = 'delivered') then 'superseded'
          when not endpoint.is_on or account.plan <> all(${PLANS_WITH_WEBHOOKS}::text[]) then 'held'
          else 'pending' end as state,
        case when locked.kind = 'test' then 'test'
          when locked.kind = 'resend' or locked.attempts > 0 then 'retry' else 'first' end as queue
      from locked
        cross join lateral (
          select is_on, deleted_at, company_id from endpoint where id = locked.endpoint_id limit 1
        ) endpoint
        join company on company.id = endpoint.company_id
        join account on account.id = company.account_id
    ), waits as (
      update delivery_queue
      set queue = case when decided.state = 'held' then 'held'
          when due_at <= ${now} then decided.queue else 'later' end,
        due_at = case when decided.state = 'pending' then due_at end
      from decided
      where delivery_queue.id = decided.id and decided.state in ('pending', 'held')
        and delivery_queue.id = any(array(select id from decided))
    ), done as (
      delete from delivery_queue
      where id = any(array(select id from decided where state in ('cancelled', 'superseded')))
    ), moved as (
      update webhook_delivery
      set state = decided.state,
        ended_at = case when decided.state <> 'held' then ${now}::timestamptz end
      from decided
      where webhook_delivery.id = decided.id and decided.state <> 'pending'
        and webhook_delivery.id = any(array(select id from decided))
    )
    select count(*)::int as count from decided
  `.execute(db)
  return rows[0]!.count
}

/** Returns the time after which a change of an endpoint leads to a check of its waiting deliveries. */
const latelyBefore = (now: Date): Date => new Date(now.getTime() - DELIVERY_ENGINE.lateChangesMs)

/** Builds the SQL condition that `enqueueDueDeliveries` may have work: a delivery is due or an endpoint changed lately. */
export function isToEnqueue(now: Date, since: Since): RawBuilder<unknown> {
  const lately = latelyBefore(now)
  // Each part reads one entry of an index; with "exists", the planner may scan the table for a first match.
  return sql`coalesce(
    (select due_at from delivery_queue where queue = 'later' and claim_id is null
      ${isSince(sql`due_at`, since)} order by due_at limit 1) <= ${now}, false)
    or coalesce((select off_at from endpoint where off_at is not null
      order by off_at desc limit 1) > ${lately}, false)
    or coalesce((select deleted_at from endpoint where deleted_at is not null
      order by deleted_at desc limit 1) > ${lately}, false)`
}
