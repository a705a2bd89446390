/**
 * Raises events. A change and its event share a transaction: any module raises an event inside the transaction of the
 * change, and has no part in its deliveries.
 *
 * The body is frozen here, in bytes, once per payload version. Endpoints, retries and resends share it, so a
 * signature always matches. Each subscribed endpoint gets one delivery, which is held when the endpoint is off or the
 * plan has no webhooks. An endpoint whose version is no longer sent gets its replacement (`versionSent`).
 *
 * Spec: Events › Envelope; readings E1, D4.
 */
import { CompiledQuery, type Transaction } from 'kysely'
import type pg from 'pg'
import { EVENT_VERSIONS, type EventVersion } from '../../contract/event-versions.ts'
import { pickerOf } from '../../contract/pick-by-schema.ts'
import { EVENT_DATA, type EventDataByType } from '../../contract/webhook-data.ts'
import {
  dispatchDeliveriesAfterCommit,
  notifyAfterCommit,
  reserveEagerSlots,
  type EagerDelivery,
  type DeliveryTarget,
} from '../../infra/database/after-commit.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { DELIVERY_ENGINE, DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import type { EventType } from '../../core/vocabulary/events.ts'
import { eventIdText } from './event-id.ts'
import { fitBody } from './fit-body.ts'
import { PLANS_WITH_WEBHOOKS } from './plans-with-webhooks.ts'

/** An event of one type, before its body is serialised. */
export type EventToRaise<Type extends EventType = EventType> = {
  [T in Type]: {
    type: T
    company: { id: string; name: string | null }
    data: EventDataByType[T]
    /** The time of the change: `createdAt` of the envelope. */
    occurredAt: Date
    /** The conversation, contact and run by which the log is searched. */
    conversationId?: string | null
    contactId?: string | null
    runId?: string | null
  }
}[Type]

type RaiseDeps = {
  ids: Ids
  now: Date
  /** The payload versions, oldest first; those of this release by default. */
  versions?: readonly EventVersion[]
}

const PICKERS = new Map(
  Object.entries(EVENT_DATA).map(([type, schema]) => [type, pickerOf(schema)] as const),
)

/** Returns only the fields that the event's schema names, as rows have more. */
const pickData = ({ type, data }: EventToRaise) => PICKERS.get(type)!(data) as typeof data

/** Writes an event, its frozen body and one delivery per subscribed endpoint. */
export function raiseEvent(
  tx: Transaction<DB>,
  deps: RaiseDeps,
  event: EventToRaise,
): Promise<void> {
  return raiseEvents(tx, deps, [event])
}

/**
 * Raises any number of events in one statement, in their order. A company without endpoints costs a look-up and
 * writes nothing.
 *
 * Deliveries that can start now are inserted with this node's lease and dispatched in memory after the commit (eager
 * dispatch). That requires free slots of the endpoint and its account, and an empty queue of the endpoint. All other
 * deliveries are due in their queue, for any node to claim. Two transactions that raise for one endpoint at the same
 * instant may exceed its slots by one dispatch.
 */
export async function raiseEvents(
  on: Transaction<DB> | pg.ClientBase,
  { ids, now, versions = EVENT_VERSIONS }: RaiseDeps,
  events: readonly EventToRaise[],
): Promise<void> {
  if (events.length === 0) return
  const made = events.map((event) => ({ event, id: ids.uuid(), data: pickData(event) }))
  const bodies = made.flatMap(({ event, id, data }) =>
    versions.map(({ version, shape }) => ({
      eventId: id,
      apiVersion: version,
      bytes: fitBody({
        id: eventIdText(id),
        type: event.type,
        apiVersion: version,
        createdAt: event.occurredAt.toISOString(),
        test: false,
        company: { id: event.company.id, name: event.company.name },
        data: shape(event.type, data),
      }),
    })),
  )
  const reserved = reserveEagerSlots(on, events.length * DELIVERY_LIMITS.endpointsPerCompany)
  const since = reserved?.since ?? null
  const rows = await query<Raised>(on, since ? RAISE_EVENTS_SINCE : RAISE_EVENTS, [
    made.map(({ id }) => id),
    events.map((event) => event.company.id),
    events.map((event) => event.type),
    events.map((event) => event.conversationId ?? null),
    events.map((event) => event.contactId ?? null),
    events.map((event) => event.runId ?? null),
    events.map((event) => event.occurredAt),
    bodies.map((body) => body.eventId),
    bodies.map((body) => body.apiVersion),
    bodies.map((body) => body.bytes),
    PLANS_WITH_WEBHOOKS,
    now,
    versions.map(({ version }) => version),
    reserved?.slots ?? 0,
    reserved?.claimId ?? null,
    leaseEnd(DELIVERY_ENGINE, now),
    DELIVERY_ENGINE.inFlightPerAccount,
    ...(since ? [since] : []),
  ])
  if (rows.some(({ isToClaim }) => isToClaim)) notifyAfterCommit(on, 'deliveries')
  if (!reserved) return
  const leased = rows.filter(({ isLeased }) => isLeased)
  const saturated = rows.filter(({ isSaturated }) => isSaturated)
  const bytesOf = new Map(bodies.map((body) => [body.eventId + body.apiVersion, body.bytes]))
  dispatchDeliveriesAfterCommit(on, {
    deliveries: leased.map(({ url, secrets, slots, ...row }) => ({
      ...row,
      body: bytesOf.get(row.eventId + row.apiVersion)!,
      dueAt: now,
      claimId: reserved.claimId,
      target: { url, secrets, slots },
      seen: reserved.seen,
    })),
    saturated,
  })
}

type Raised = Pick<
  EagerDelivery,
  'id' | 'accountId' | 'companyId' | 'endpointId' | 'eventId' | 'eventType' | 'apiVersion'
> &
  // Deliveries without a lease have none of these.
  DeliveryTarget & {
    isLeased: boolean
    /** The endpoint or account has no free slot: the end of an attempt there makes it due. */
    isSaturated: boolean
    /** A worker may claim the delivery immediately. */
    isToClaim: boolean
  }

/** Runs the statement on a transaction, or on the separate connection of a hook batch, which can be aborted. */
async function query<Row>(
  on: Transaction<DB> | pg.ClientBase,
  { name, text }: { name: string; text: string },
  values: unknown[],
): Promise<Row[]> {
  if ('executeQuery' in on) {
    return (await on.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  }
  return (await on.query<Row & pg.QueryResultRow>({ name, text, values })).rows
}

/**
 * Builds the statement that raises events. `isWaiting` and `isInFlight` are additional conditions of the deliveries that
 * wait and of those in flight.
 */
const raiseEventsText = (isWaiting: string, isInFlight: string) => `
  with made as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[],
      $7::timestamptz[]) as event
      (id, company_id, type, conversation_id, contact_id, run_id, occurred_at)
  ), raised as (
    insert into event (id, company_id, type, conversation_id, contact_id, run_id, occurred_at)
    select made.* from made
    where exists (select from endpoint
      where endpoint.company_id = made.company_id and endpoint.deleted_at is null)
    returning id, company_id, type
  ), subscribed as materialized (
    select new_delivery_id(raised.id) as id, raised.id as event_id, raised.type, raised.company_id,
      company.account_id,
      endpoint.id as endpoint_id, endpoint.url,
      coalesce(
        (select min(known collate "C") from unnest($13::text[]) known
          where known collate "C" >= endpoint.api_version),
        (select max(known collate "C") from unnest($13::text[]) known)) as api_version,
      endpoint.is_on and account.plan = any($11::text[]) as is_live
    from raised
      join endpoint on endpoint.company_id = raised.company_id and endpoint.deleted_at is null
        and raised.type = any(endpoint.event_types)
      join company on company.id = raised.company_id
      join account on account.id = company.account_id
  ), frozen as (
    insert into event_body (id, api_version, body)
    select body.* from unnest($8::uuid[], $9::text[], $10::bytea[])
      as body (id, api_version, body)
    where exists (select from subscribed
      where subscribed.event_id = body.id and subscribed.api_version = body.api_version)
  ), live as materialized (
    select endpoint_id, company_id, account_id, $17::int - of_account as of_account,
      health.slots - in_flight.of_endpoint as of_endpoint, health.slots,
      (select json_agg(json_build_object('id', id, 'secret', secret, 'lastFour', last_four)
          order by created_at, id)
        from endpoint_secret where endpoint_secret.endpoint_id = subscribed.endpoint_id
          and (signs_until is null or signs_until > $12)) as secrets,
      exists (select from delivery_queue
        where queue = 'first' and endpoint_id = subscribed.endpoint_id
          and claim_id is null ${isWaiting}) as is_behind
    from (select distinct account_id, company_id, endpoint_id from subscribed
        where is_live and $14::int > 0) subscribed
      cross join lateral (select slots from endpoint_health
        where endpoint_health.endpoint_id = subscribed.endpoint_id limit 1) health
      cross join lateral (select sum(of_company) as of_account, sum(of_endpoint) as of_endpoint
        from company cross join lateral (select count(*) as of_company,
            count(*) filter (where endpoint_id = subscribed.endpoint_id) as of_endpoint
          from delivery_queue
          where company_id = company.id and claim_id is not null ${isInFlight}) of_company
        where company.account_id = subscribed.account_id) in_flight
  ), of_endpoint as (
    select subscribed.id, live.account_id, live.company_id, live.of_account, live.of_endpoint,
      row_number() over (partition by endpoint_id order by subscribed.id) as nth
    from subscribed join live using (endpoint_id) where not is_behind
  ), with_slot as materialized (
    select id, nth, nth <= of_account as has_slot from (
      select id, of_account, row_number() over (partition by account_id order by nth, id) as nth
      from (select id, account_id, of_account,
          row_number() over (partition by company_id order by id) as nth
        from of_endpoint where nth <= of_endpoint) of_company) of_account
  ), leased as materialized (
    select id from with_slot where has_slot order by nth, id limit $14
  ), decided as materialized (
    select subscribed.*, leased.id is not null as is_leased,
      $14::int > 0 and not coalesce(has_slot, false) as is_saturated
    from subscribed left join with_slot using (id) left join leased using (id)
  ), written as (
    insert into webhook_delivery
      (id, company_id, endpoint_id, event_id, body_id, api_version, kind, state, created_at)
    select id, company_id, endpoint_id, event_id, event_id, api_version, 'event',
      case when is_live then 'pending' else 'held' end, $12
    from decided
  ), queued as (
    insert into delivery_queue
      (id, company_id, endpoint_id, kind, queue, due_at, claim_id, lease_expires_at)
    select id, company_id, endpoint_id, 'event', case when is_live then 'first' else 'held' end,
      case when is_live then $12::timestamptz end, case when is_leased then $15::uuid end,
      case when is_leased then $16::timestamptz end
    from decided
  )
  select decided.id, decided.account_id as "accountId", decided.company_id as "companyId",
    decided.endpoint_id as "endpointId", event_id as "eventId",
    type as "eventType", api_version as "apiVersion", is_leased as "isLeased",
    is_live and is_saturated as "isSaturated",
    is_live and not is_leased and not is_saturated as "isToClaim",
    case when is_leased then url end as url, live.slots, coalesce(live.secrets, '[]') as secrets
  from decided left join live on is_leased and live.endpoint_id = decided.endpoint_id
  order by decided.id
`

const RAISE_EVENTS = { name: 'raise-events', text: raiseEventsText('', '') }

/** Reads no delivery that was due, and no lease that ended, before a lower bound. */
const RAISE_EVENTS_SINCE = {
  name: 'raise-events-since',
  text: raiseEventsText('and due_at >= $18', 'and lease_expires_at >= $18'),
}
