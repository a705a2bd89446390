import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isClaimOf } from '../../infra/database/node-locks.sql.ts'
import {
  isClaimed,
  isSince,
  leaseEnd,
  type Claimable,
  type Since,
} from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { PLANS_WITH_WEBHOOKS } from '../events/plans-with-webhooks.ts'
import { isToEnqueue } from './enqueue-due.sql.ts'

/**
 * The queues of due deliveries (column `queue`), each with its own concurrency slots: first attempts of events
 * (`first`), retries and resends (`retry`), and tests. Spec: Deliveries › Order and shares.
 */
export const DELIVERY_QUEUES = ['first', 'retry', 'test'] as const

/** The name of a queue of due deliveries. */
export type DeliveryQueue = (typeof DELIVERY_QUEUES)[number]

/** A delivery leased to this process, with everything that its attempt needs. */
export type ClaimedDelivery = {
  id: string
  accountId: string
  companyId: string
  endpointId: string
  eventId: string
  eventType: string
  apiVersion: string
  kind: 'event' | 'resend' | 'test'
  queue: DeliveryQueue
  /** Attempts that have ended; this claim is for the next one. */
  attempts: number
  dueAt: Date
  claimId: string
  url: string
  /** The frozen body, or null when it is gone, so that nothing can be sent. */
  body: Buffer | null
  /** Encrypted signing secrets that are valid now, the older one first. */
  secrets: { id: string; secret: string; lastFour: string }[]
}

/** A queue with its free slots; endpoints are examined in id order, starting after `after`. */
export type QueueToClaim = { queue: DeliveryQueue; free: number; after: string }

/** A claim for the free slots of queues. Deliveries before `since` are not read. */
type DeliveriesToClaim = {
  claimId: string
  now: Date
  since?: Since
  queues: readonly QueueToClaim[]
  missing?: readonly string[]
}

/** The result of one claim. */
export type Claimed = {
  deliveries: ClaimedDelivery[]
  /** Ids of endpoints that had due deliveries, and of their accounts. */
  saturated: string[]
  /** Endpoints with due deliveries that are off, deleted, or on a plan without webhooks. */
  notLive: string[]
  /** The last endpoint examined per queue that has more of them: the next claim continues after it. */
  next: Partial<Record<DeliveryQueue, string>>
  /** States whether `enqueueDueDeliveries` may have work. */
  isToEnqueue: boolean
  /** The time when the next other delivery is due or a lease ends; null when no other delivery waits. */
  dueAt: Date | null
}

/**
 * Claims due deliveries for this node, up to the free slots of each queue, with a lease of 30 s. An endpoint gets at
 * most its free slots, an account with its projects at most 32 in flight. Accounts with the fewest in flight come
 * first, then companies, then the longest due. Deliveries that have waited 7 days expire. Tests ignore a switch-off.
 *
 * Per endpoint, at most twice an even share of the slots is examined. A skip scan of the partial index finds 32 to
 * 128 endpoints per queue, so the cost depends neither on the backlog of an endpoint nor on deliveries due later.
 * Claims of `missing` nodes, probably dead, hold no slots.
 *
 * Isolation: the picked rows are locked in id order with `skip locked`, so that two nodes share them and never both
 * get one. A row that another node has attempted since it was read is no longer in a queue. In-flight counts are read
 * before the lock: two nodes that count at the same instant may together exceed the slots of an endpoint by one
 * claim. Rows are locked by key with `num_nonnulls(claim_id) = 0`: with `claim_id is null`, a planner whose
 * statistics show few waiting rows scans all of them for each key.
 */
export async function claimDeliveries(
  db: Kysely<DB>,
  { claimId, now, since = null, queues, missing = [] }: DeliveriesToClaim,
): Promise<Claimed> {
  const leaseEnds = leaseEnd(DELIVERY_ENGINE, now)
  const tooOld = oldestIdAt(new Date(now.getTime() - RETENTION.waitingEventMs))
  const { rows } = await sql<ClaimedRow>`
    with recursive ${endpointsWithDue(queues, missing, since)}, ${picked(since)}, locked as materialized (
      select delivery.id from (select id from of_lane where of_lane <= free order by id) picked
        cross join lateral (
          select id from delivery_queue
          where id = picked.id and num_nonnulls(claim_id) = 0 and queue in ('first', 'retry', 'test')
          for update skip locked) delivery
    ), claimed as (
      update delivery_queue set claim_id = ${claimId}, lease_expires_at = ${leaseEnds}
      where id = any(array(select id from locked where id >= ${tooOld}::uuid))
      returning id, company_id, endpoint_id, kind, queue, due_at, claim_id
    ), gone as (
      delete from delivery_queue
      where id = any(array(select id from locked where id < ${tooOld}::uuid)) returning id
    ), expired as (
      update webhook_delivery set state = 'expired', ended_at = ${now}
      where id = any(array(select id from gone))
    ), signing as materialized (
      select endpoint_id, json_agg(json_build_object('id', id, 'secret', secret,
        'lastFour', last_four) order by created_at, id) as secrets
      from endpoint_secret where endpoint_id = any(array(select endpoint_id from claimed))
        and (signs_until is null or signs_until > ${now}) group by endpoint_id
    )
    ${result({ now, since }, tooOld)}
  `.execute(db)
  const summary = rows.find(({ id }) => id === null)
  const endpoints = summary?.endpoints ?? {}
  return {
    deliveries: rows.filter(isDelivery).map((row) => {
      const { accountId, url, secrets } = endpoints[row.endpointId]!
      return { ...row, accountId, url, secrets: secrets ?? [] }
    }),
    saturated: summary?.saturated ?? [],
    notLive: summary?.notLive ?? [],
    next: summary?.next ?? {},
    isToEnqueue: summary?.isToEnqueue ?? false,
    dueAt: summary?.nextDue ?? null,
  }
}

/** Builds the CTEs of the endpoints to examine per queue and of what each has in flight. */
function endpointsWithDue(
  queues: readonly QueueToClaim[],
  missing: readonly string[],
  since: Since,
): RawBuilder<unknown> {
  const isDueSince = isSince(sql`due_at`, since)
  const holdsNoSlot = missing.length > 0 ? isClaimOf(missing) : sql`false`
  const { endpointsPerClaim: max, minEndpointsPerClaim: min } = DELIVERY_ENGINE
  return sql`queue as materialized (
      select *, least(${max}::int, greatest(${min}::int, free)) as max_endpoints
      from unnest(${queues.map(({ queue }) => queue)}::text[],
        ${queues.map(({ free }) => free)}::int[], ${queues.map(({ after }) => after)}::uuid[])
        as queue (name, free, after)
    ), waiting (queue, free, max_endpoints, endpoint_id, nth) as (
      select name, free, max_endpoints, (select endpoint_id from delivery_queue
          where queue = queue.name and claim_id is null ${isDueSince}
            and endpoint_id > queue.after order by endpoint_id limit 1), 1 from queue
      union all
      select waiting.queue, free, max_endpoints, (select endpoint_id from delivery_queue
          where queue = waiting.queue and claim_id is null ${isDueSince}
            and endpoint_id > waiting.endpoint_id order by endpoint_id limit 1), nth + 1
      from waiting where endpoint_id is not null and nth < max_endpoints
    ), seen as (
      select waiting.queue, waiting.free, waiting.endpoint_id, endpoint.company_id, company.account_id,
        case when waiting.queue = 'test' then endpoint.deleted_at is null
          else endpoint.is_on and endpoint.deleted_at is null
            and account.plan = any(${PLANS_WITH_WEBHOOKS}::text[]) end as is_live,
        coalesce(health.slots, 1) as slots, 0 as used
      from waiting
        cross join lateral (select company_id, is_on, deleted_at from endpoint
          where id = waiting.endpoint_id limit 1) endpoint
        left join lateral (select slots from endpoint_health
          where endpoint_id = waiting.endpoint_id limit 1) health on true
        cross join lateral (select account_id from company
          where id = endpoint.company_id limit 1) company
        cross join lateral (select plan from account where id = company.account_id limit 1) account
      where waiting.endpoint_id is not null
      union all
      select null, 0, endpoint_id, company_id, account_id, true, 0, 1
      from delivery_queue cross join lateral (select account_id from company where id = company_id limit 1) company
      where ${isClaimed(DELIVERY_QUEUE, since)} and not ${holdsNoSlot}
    ), examined as materialized (
      select * from (
        select queue, free, endpoint_id, company_id, account_id, queue = 'test' as is_test, is_live, slots,
          count(*) over (partition by queue) as endpoints,
          sum(used) over (partition by endpoint_id) as used,
          sum(used) over (partition by company_id) as used_of_company,
          sum(used) over (partition by account_id) as used_of_account
        from seen) counted
      where queue is not null
    )`
}

/**
 * CTEs of the due deliveries to claim: within the slots of each endpoint and account, and the free slots of each queue.
 */
const picked = (since: Since) => sql`candidate as (
      select examined.*, delivery.id, delivery.due_at, used + row_number() over (
          partition by is_test, examined.endpoint_id order by delivery.due_at, delivery.id) as of_endpoint
      from examined cross join lateral (
        select id, due_at from delivery_queue
        where queue = examined.queue and endpoint_id = examined.endpoint_id and claim_id is null
          ${isSince(sql`due_at`, since)}
        order by due_at
        limit case when is_test then free
          else least(greatest(slots - used, 0), 1 + 2 * free / endpoints) end) delivery
      where is_live
    ), of_company as (
      select *, used_of_company + row_number() over (
          partition by is_test, company_id order by of_endpoint, due_at, id) as of_company
      from candidate where is_test or of_endpoint <= slots
    ), of_account as (
      select *, used_of_account + row_number() over (
          partition by is_test, account_id order by of_company, due_at, id) as of_account
      from of_company
    ), of_lane as (
      select *, row_number() over (partition by queue order by of_account, due_at, id) as of_lane
      from of_account where is_test or of_account <= ${DELIVERY_ENGINE.inFlightPerAccount}
    )`

/**
 * Rows of the result: one summary row about the examined endpoints, with the data of those that have claimed
 * deliveries, then one row per claimed delivery. Neither a claimed delivery nor its body is older than `oldest`, so no
 * older partition is planned.
 */
const result = ({ now, since }: { now: Date; since: Since }, oldest: string) => sql`
    select summary.*, null::uuid as id, null::uuid as company_id, null::uuid as endpoint_id,
      null::uuid as event_id, null as api_version, null as kind, null as queue,
      null::smallint as attempts, null::timestamptz as due_at, null::uuid as claim_id,
      null as event_type, null::bytea as body
    from (select
        (select array_agg(distinct endpoint_id) from examined where not is_live) as not_live,
        (select array_agg(id) from (select endpoint_id as id from examined where is_live
          union select account_id from examined where is_live) waited) as saturated,
        (select json_object_agg(queue, endpoint_id) from waiting
          where nth = max_endpoints and endpoint_id is not null) as next,
        (select json_object_agg(id, json_build_object('url', url, 'accountId', account_id, 'secrets', secrets))
          from (select distinct endpoint_id, account_id from examined) examined
            join endpoint on endpoint.id = examined.endpoint_id
            left join signing using (endpoint_id)
          where endpoint.id = any(array(select endpoint_id from claimed))) as endpoints,
        (${isToEnqueue(now, since)}) as is_to_enqueue,
        ${nextDueIn(since, sql`and id <> all(array(select id from locked))`)} as next_due) summary
    union all
    select null, null, null, null, null, null, claimed.id, claimed.company_id, claimed.endpoint_id,
      delivery.event_id, delivery.api_version, claimed.kind, claimed.queue, delivery.attempts,
      claimed.due_at, claimed.claim_id, event.type, body.body
    from claimed
      cross join lateral (select event_id, body_id, api_version, attempts from webhook_delivery
        where id = claimed.id and id >= ${oldest}::uuid limit 1) delivery
      left join lateral (select type from event where id = delivery.event_id limit 1) event on true
      left join lateral (select body from event_body
        where id = delivery.body_id and id >= ${oldest}::uuid
          and api_version = delivery.api_version limit 1) body on true`

type ClaimedRow = Omit<ClaimedDelivery, 'id' | keyof EndpointToSendTo> & {
  id: string | null
  notLive: string[] | null
  saturated: string[] | null
  next: Partial<Record<DeliveryQueue, string>> | null
  /** The data of endpoints by id, so that it is read once for all deliveries to an endpoint. */
  endpoints: Record<string, EndpointToSendTo> | null
  isToEnqueue: boolean | null
  nextDue: Date | null
}

type EndpointToSendTo = Pick<ClaimedDelivery, 'accountId' | 'url'> & {
  secrets: ClaimedDelivery['secrets'] | null
}

const isDelivery = (row: ClaimedRow): row is ClaimedRow & { id: string } => row.id !== null

/**
 * The description of the table `delivery_queue` for the functions that all queues share, such as the release of expired
 * claims. `claimDeliveries` claims its rows of the `DELIVERY_QUEUES`.
 */
export const DELIVERY_QUEUE: Claimable = {
  name: 'deliveries',
  table: 'delivery_queue',
  due: 'due_at',
  leaseMs: DELIVERY_ENGINE.leaseMs,
  release,
  nextDue: nextDeliveryDue,
  earliest: earliestDelivery,
}

/**
 * Releases expired claims. A test is never posted twice, so it ends as dead-lettered. A delivery whose resend was
 * delivered meanwhile is superseded here, because the resend could not end it while it was claimed.
 */
async function release(
  db: Kysely<DB>,
  now: Date,
  isReleased: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with released as materialized (
      select id from delivery_queue where claim_id is not null and ${isReleased}
    ), expired as materialized (
      select delivery.* from (select id from released order by id) expired
        cross join lateral (select id, endpoint_id, kind from delivery_queue
          where id = expired.id and num_nonnulls(claim_id) = 1 and ${isReleased}
          for update skip locked) delivery
    ), decided as materialized (
      select expired.id, case
          when kind = 'test' then 'dead_lettered'
          when kind = 'event' and exists (
            select from webhook_delivery resend
            where resend.event_id = delivery.event_id and resend.endpoint_id = expired.endpoint_id
              and resend.id > oldest_resend(delivery.event_id) and resend.kind = 'resend'
              and resend.state = 'delivered') then 'superseded'
          end as ends_as
      from expired cross join lateral (select event_id from webhook_delivery
        where id = expired.id limit 1) delivery
    ), due as (
      update delivery_queue set claim_id = null, lease_expires_at = null
      where id = any(array(select id from decided where ends_as is null))
    ), done as (
      delete from delivery_queue
      where id = any(array(select id from decided where ends_as is not null))
    ), ended as (
      update webhook_delivery set state = ends_as, ended_at = ${now}
      from decided where webhook_delivery.id = decided.id and ends_as is not null
    )
    select count(*)::int as count from decided
  `.execute(db)
  return rows[0]!.count
}

/** Returns when the queue next needs work: the earliest due time or lease expiry, or null when nothing waits. */
async function nextDeliveryDue(db: Kysely<DB>, since: Since): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select ${nextDueIn(since)} as at`.execute(db)
  return rows[0]?.at ?? null
}

/** Returns the earliest due time or end of a lease of all deliveries; null when none waits. */
async function earliestDelivery(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select least(
    (select min(due_at) from delivery_queue where claim_id is null),
    (select min(lease_expires_at) from delivery_queue where claim_id is not null)) as at`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

/**
 * Builds the SQL of the next due time. Rows before `since` are not read. `isLeft` is an additional condition of the
 * waiting rows.
 */
function nextDueIn(since: Since, isLeft = sql``): RawBuilder<unknown> {
  const isDueSince = isSince(sql`due_at`, since)
  const firstOf = (queue: DeliveryQueue) => sql`(select due_at from delivery_queue
    where queue = ${sql.lit(queue)} and claim_id is null ${isDueSince} ${isLeft} order by endpoint_id, due_at limit 1)`
  return sql`least(
    ${sql.join(DELIVERY_QUEUES.map(firstOf))},
    (select due_at from delivery_queue
      where queue = 'later' and claim_id is null ${isDueSince} order by due_at limit 1),
    (select lease_expires_at from delivery_queue
      where ${isClaimed(DELIVERY_QUEUE, since)} order by lease_expires_at limit 1))`
}
