import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isClaimOf } from '../../infra/database/node-locks.sql.ts'
import { leaseEnd, type Claimable } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { PLANS_WITH_WEBHOOKS } from '../events/plans-with-webhooks.ts'

/**
 * Where due deliveries wait: first attempts of events, retries and resends, tests. Each lane has
 * places of its own. Spec: Deliveries › Order and shares.
 */
export const LANES = ['first', 'again', 'test'] as const
export type Lane = (typeof LANES)[number]

export type ClaimedDelivery = {
  id: string
  accountId: string
  companyId: string
  endpointId: string
  eventId: string
  eventType: string
  apiVersion: string
  kind: 'event' | 'resend' | 'test'
  lane: Lane
  /** Attempts that have ended; the next one is this plus one. */
  attempts: number
  dueAt: Date
  claimId: string
  url: string
  /** Null when the frozen body is gone: there is nothing that could be sent. */
  body: Buffer | null
  /** The secrets that sign now, the older first, encrypted. */
  secrets: { id: string; secret: string; lastFour: string }[]
}

export type LaneToClaim = { lane: Lane; free: number; after: string }

export type Claimed = {
  deliveries: ClaimedDelivery[]
  /** Endpoints, and their accounts, for which something waited in its lane. */
  waitsFor: string[]
  /** Endpoints with something due that are off, deleted, or on a plan without webhooks. */
  notLive: string[]
  /** By lane, the last endpoint looked at where there are more: the next claim goes on after it. */
  next: Partial<Record<Lane, string>>
}

/**
 * Takes due deliveries for this node, of each lane as many as it has free places. Of an endpoint no
 * more than it has free slots, of an account with its projects no more than 32 in flight; who has fewer in flight
 * comes first, within an account the company that has fewer, then who has been due longer: one delivery of an account
 * is never behind the thousands of another. Each is leased for 30 s under the claim id. Tests go to any endpoint that is not deleted.
 * What has waited for 7 days is expired instead.
 *
 * Of each endpoint no more is looked at than twice an even share of the places: the next claim, a few
 * milliseconds later, takes what is left.
 *
 * Endpoints with something due are found by skipping through the partial index of the lanes, of a lane as
 * many as it has free places, but 32 to 128: the cost grows neither with what waits behind an endpoint nor
 * with what is due later. A skip reads a page of the index, and is the dearest part of a claim.
 *
 * Nodes that are `missing` are probably dead: what they have in flight holds no slots.
 *
 * What was picked is found by its key: told `claim_id is null`, a planner that knows of nothing waiting, as
 * when little did until now, reads for each all that waits.
 *
 * Isolation: what was picked is locked in id order with `skip locked`, so that two nodes claiming
 * together share the rows and never both get one. One that another node has tried since this one looked is
 * in no lane any more, and waits for its next time. What is in flight was counted before the lock; two
 * nodes that count at the same instant can together go over an endpoint's slots by one claim.
 */
export async function claimDeliveries(
  db: Kysely<DB>,
  {
    claimId,
    now,
    lanes,
    missing = [],
  }: { claimId: string; now: Date; lanes: readonly LaneToClaim[]; missing?: readonly string[] },
): Promise<Claimed> {
  const leaseEnds = leaseEnd(DELIVERY_ENGINE, now)
  const tooOld = oldestIdAt(new Date(now.getTime() - RETENTION.waitingEventMs))
  const { rows } = await sql<ClaimedRow>`
    with recursive ${placesOf(lanes, missing)}, ${PICKED}, locked as materialized (
      select delivery.id from (select id from of_lane where of_lane <= free order by id) picked
        cross join lateral (
          select id from delivery_queue
          where id = picked.id and num_nonnulls(claim_id) = 0 and lane in ('first', 'again', 'test')
          for update skip locked) delivery
    ), claimed as (
      update delivery_queue set claim_id = ${claimId}, lease_expires_at = ${leaseEnds}
      where id = any(array(select id from locked where id >= ${tooOld}::uuid))
      returning id, company_id, endpoint_id, kind, lane, due_at, claim_id
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
    ${TOLD}
  `.execute(db)
  const around = rows.find(({ id }) => id === null)
  const secretsOf = around?.secretsOf ?? {}
  return {
    deliveries: rows.flatMap((row) =>
      isDelivery(row) ? [{ ...row, secrets: secretsOf[row.endpointId] ?? [] }] : [],
    ),
    waitsFor: around?.waitsFor ?? [],
    notLive: around?.notLive ?? [],
    next: around?.next ?? {},
  }
}

/** The endpoints with something due, of each lane as many as one claim looks at, and what is in flight. */
function placesOf(lanes: readonly LaneToClaim[], missing: readonly string[]): RawBuilder<unknown> {
  const holdsNoSlot = missing.length > 0 ? isClaimOf(missing) : sql`false`
  const { endpointsPerClaim: most, endpointsPerClaimLeast: least } = DELIVERY_ENGINE
  return sql`lane as materialized (
      select *, least(${most}::int, greatest(${least}::int, free)) as most
      from unnest(${lanes.map(({ lane }) => lane)}::text[],
        ${lanes.map(({ free }) => free)}::int[], ${lanes.map(({ after }) => after)}::uuid[])
        as lane (name, free, after)
    ), waiting (lane, free, most, endpoint_id, nth) as (
      select name, free, most, (select endpoint_id from delivery_queue
          where lane = lane.name and claim_id is null
            and endpoint_id > lane.after order by endpoint_id limit 1), 1 from lane
      union all
      select waiting.lane, free, most, (select endpoint_id from delivery_queue
          where lane = waiting.lane and claim_id is null
            and endpoint_id > waiting.endpoint_id order by endpoint_id limit 1), nth + 1
      from waiting where endpoint_id is not null and nth < most
    ), seen as (
      select waiting.lane, waiting.free, waiting.endpoint_id, endpoint.company_id, company.account_id,
        case when waiting.lane = 'test' then endpoint.deleted_at is null
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
      where claim_id is not null and not ${holdsNoSlot}
    ), place as materialized (
      select * from (
        select lane, free, endpoint_id, company_id, account_id, lane = 'test' as is_test, is_live, slots,
          count(*) over (partition by lane) as places,
          sum(used) over (partition by endpoint_id) as used,
          sum(used) over (partition by company_id) as used_of_company,
          sum(used) over (partition by account_id) as used_of_account
        from seen) place
      where lane is not null
    )`
}

/** What is taken: of an endpoint and an account no more than they have places for, of a lane as many as are free. */
const PICKED = sql`candidate as (
      select place.*, delivery.id, delivery.due_at, used + row_number() over (
          partition by is_test, place.endpoint_id order by delivery.due_at, delivery.id) as of_endpoint
      from place cross join lateral (
        select id, due_at from delivery_queue
        where lane = place.lane and endpoint_id = place.endpoint_id and claim_id is null
        order by due_at
        limit case when is_test then free
          else least(greatest(slots - used, 0), 1 + 2 * free / places) end) delivery
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
      select *, row_number() over (partition by lane order by of_account, due_at, id) as of_lane
      from of_account where is_test or of_account <= ${DELIVERY_ENGINE.inFlightPerAccount}
    )`

/** What is claimed, after one row of what was found around it. */
const TOLD = sql`
    select around.*, null::uuid as id, null::uuid as account_id, null::uuid as company_id, null::uuid as endpoint_id,
      null::uuid as event_id, null as api_version, null as kind, null as lane,
      null::smallint as attempts, null::timestamptz as due_at, null::uuid as claim_id,
      null as event_type, null as url, null::bytea as body
    from (select
        (select array_agg(distinct endpoint_id) from place where not is_live) as not_live,
        (select array_agg(id) from (select endpoint_id as id from place where is_live
          union select account_id from place where is_live) waited) as waits_for,
        (select json_object_agg(lane, endpoint_id) from waiting
          where nth = most and endpoint_id is not null) as next,
        (select json_object_agg(endpoint_id, secrets) from signing) as secrets_of) around
    union all
    select null, null, null, null, claimed.id,
      (select account_id from company where company.id = claimed.company_id), claimed.company_id, claimed.endpoint_id, delivery.event_id,
      delivery.api_version, claimed.kind, claimed.lane, delivery.attempts, claimed.due_at,
      claimed.claim_id, event.type, endpoint.url, body.body
    from claimed
      cross join lateral (select event_id, body_id, api_version, attempts from webhook_delivery
        where id = claimed.id limit 1) delivery
      left join lateral (select type from event where id = delivery.event_id limit 1) event on true
      left join lateral (select url from endpoint
        where id = claimed.endpoint_id limit 1) endpoint on true
      left join lateral (select body from event_body
        where id = delivery.body_id and api_version = delivery.api_version limit 1) body on true`

type ClaimedRow = Omit<ClaimedDelivery, 'id' | 'secrets'> & {
  id: string | null
  notLive: string[] | null
  waitsFor: string[] | null
  next: Partial<Record<Lane, string>> | null
  /** By endpoint: those of one are read once, whatever is claimed for it. */
  secretsOf: Record<string, ClaimedDelivery['secrets']> | null
}

const isDelivery = (row: ClaimedRow): row is ClaimedRow & { id: string } => row.id !== null

/** Deliveries that are to be attempted: claimed by `claimDeliveries`. */
export const DELIVERY_QUEUE: Claimable = {
  name: 'deliveries',
  table: 'delivery_queue',
  due: 'due_at',
  leaseMs: DELIVERY_ENGINE.leaseMs,
  release,
  nextDue: nextDeliveryDue,
}

/**
 * A test is never posted twice and ends dead-lettered. What was resent and delivered meanwhile is superseded: the resend
 * passed it over, as it was under way.
 */
async function release(
  db: Kysely<DB>,
  now: Date,
  isGivenBack: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with expired as materialized (
      select delivery.* from (select id from delivery_queue
          where claim_id is not null and ${isGivenBack} order by id) expired
        cross join lateral (select id, endpoint_id, kind from delivery_queue
          where id = expired.id and num_nonnulls(claim_id) = 1 and ${isGivenBack}
          for update skip locked) delivery
    ), decided as materialized (
      select expired.id, case
          when kind = 'test' then 'dead_lettered'
          when kind = 'event' and exists (
            select from webhook_delivery resend
            where resend.event_id = delivery.event_id and resend.endpoint_id = expired.endpoint_id
              and resend.kind = 'resend' and resend.state = 'delivered') then 'superseded'
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

/**
 * When something is to be done next: the time of what is due or waits in a lane, or the end of the
 * first lease; null when nothing waits.
 */
async function nextDeliveryDue(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      ${sql.join(
        LANES.map(
          (lane) => sql`(select due_at from delivery_queue
            where lane = ${sql.lit(lane)} and claim_id is null order by endpoint_id, due_at limit 1)`,
        ),
      )},
      (select due_at from delivery_queue
        where lane = 'later' and claim_id is null order by due_at limit 1),
      (select lease_expires_at from delivery_queue
        where claim_id is not null order by lease_expires_at limit 1)
    ) as at
  `.execute(db)
  return rows[0]?.at ?? null
}
