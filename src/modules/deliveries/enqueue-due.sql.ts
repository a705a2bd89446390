import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'
import { PLANS_WITH_WEBHOOKS } from '../events/plans-with-webhooks.ts'

/**
 * Decides what becomes of deliveries that have come due, and of those that wait for an endpoint which
 * went off or was deleted lately, or which a claim found not to be live. Due ones enter their lane:
 * first attempts, or retries and resends, or tests. Where the endpoint is off they are held, all of
 * them; where the plan has no webhooks those that are due are held; where the endpoint is deleted
 * they are cancelled, held ones included; where a resend of the event was delivered meanwhile they
 * are superseded. Takes a batch and returns how many it was: at 500 there may be more.
 *
 * Isolation: rows are locked in id order with `skip locked`, so two nodes share them; one that is
 * claimed at this moment is decided when its attempt ends. One that another node has tried since this one
 * looked is due later, and enters no lane.
 * Spec: States › Delivery; reading D12.
 */
export async function enqueueDueDeliveries(
  db: Kysely<DB>,
  { now, notLive }: { now: Date; notLive: readonly string[] },
): Promise<number> {
  const most = DELIVERY_ENGINE.readyBatch
  const lately = new Date(now.getTime() - DELIVERY_ENGINE.lateChangesMs)
  const { rows } = await sql<{ count: number }>`
    with changed as materialized (
      select id, is_on, deleted_at is not null as is_deleted from endpoint where off_at > ${lately}
      union select id, is_on, true from endpoint where deleted_at > ${lately}
      union select id, is_on, deleted_at is not null from endpoint where id = any(${notLive}::uuid[])
    ), picked as (
      (select id from delivery_queue
        where lane = 'later' and claim_id is null and due_at <= ${now}
        order by due_at limit ${most})
      union
      (select delivery.id from changed
          cross join unnest(case when is_deleted then array['first', 'again', 'test', 'later', 'held']
            else array['first', 'again', 'later'] end) as of_changed (lane)
          cross join lateral (
            select id from delivery_queue
            where lane = of_changed.lane and endpoint_id = changed.id and claim_id is null
              and (changed.is_deleted or not changed.is_on or due_at <= ${now})
            limit ${most}) delivery
        limit ${most})
    ), locked as materialized (
      select queued.*, delivery.event_id, delivery.attempts
      from (select id from picked order by id limit ${most}) picked
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
              and resend.kind = 'resend' and resend.state = 'delivered') then 'superseded'
          when not endpoint.is_on or account.plan <> all(${PLANS_WITH_WEBHOOKS}::text[]) then 'held'
          else 'pending' end as state,
        case when locked.kind = 'test' then 'test'
          when locked.kind = 'resend' or locked.attempts > 0 then 'again' else 'first' end as lane
      from locked
        cross join lateral (
          select is_on, deleted_at, company_id from endpoint where id = locked.endpoint_id limit 1
        ) endpoint
        join company on company.id = endpoint.company_id
        join account on account.id = company.account_id
    ), waits as (
      update delivery_queue
      set lane = case when decided.state = 'held' then 'held'
          when due_at <= ${now} then decided.lane else 'later' end,
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
