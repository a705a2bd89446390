import { sql, type Kysely, type RawBuilder } from 'kysely'
import type {
  DeliveryFilter,
  DeliveryQuery,
  LogPosition,
} from '../../contract/dashboard/delivery.ts'
import { readInIndexOrder } from '../../infra/database/prefer-index-order.ts'
import { PLANNED_EACH_TIME } from '../../infra/database/prepare-statements.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import type { DeliveryView } from '../../core/vocabulary/deliveries.ts'
import { FREQUENT_EVENT_TYPES, type EventType } from '../../core/vocabulary/events.ts'

/** A delivery of the log with its event, endpoint and customer. */
export type DeliveryRow = {
  id: string
  companyId: string
  endpointId: string
  endpointName: string
  endpointDeletedAt: Date | null
  eventId: string
  eventType: string
  conversationId: string | null
  contactId: string | null
  contactName: string | null
  contactPhone: string | null
  runId: string | null
  apiVersion: string
  kind: string
  bodyId: string
  resendOf: string | null
  jobId: string | null
  state: string
  attempts: number
  dueAt: Date | null
  lastStatus: number | null
  lastError: string | null
  lastMs: number | null
  createdAt: Date
  endedAt: Date | null
  /** The newest resend of this delivery. */
  lastResendId: string | null
  lastResendState: string | null
}

/** Matching rows in order, up to one more than the limit. Rows below `floor` were not examined; null when all were. */
type Found = {
  rows: DeliveryRow[]
  floor: LogPosition | null
  /** Returns the position of a page that ends with this row. */
  position(row: DeliveryRow): LogPosition
}

type Condition = RawBuilder<unknown>
/** A search of the log: its filter and page. */
export type Search = DeliveryFilter &
  Pick<DeliveryQuery, 'limit' | 'cursor'> & { companyId: string }

const NO_ID_BELOW = '00000000-0000-0000-0000-000000000000'
const EACH = sql`true`
const PLAN_EACH_TIME = sql.raw(PLANNED_EACH_TIME)

/**
 * Returns matching rows of the log, newest first, at most one more than the limit, and where a bounded scan stopped. A
 * search for a conversation, contact, run, event or rare type scans events; any other scans the deliveries of each
 * endpoint. One filter uses its own index; the others are checked row by row over a bounded number of rows, which bounds
 * the cost of a page.
 *
 * Every join is `lateral` with a limit, in index order: otherwise the planner reads whole tables.
 */
export async function searchDeliveries(db: Kysely<DB>, search: Search): Promise<Found> {
  if (search.deliveryId !== undefined) return searchById(db, search)
  return readInIndexOrder(db, (tx) =>
    scansEvents(search) ? searchByEvents(tx, search) : searchByEndpoints(tx, search),
  )
}

/**
 * Returns whether a search scans events: it filters by event, run, conversation or contact, or by a rare type and no
 * rarer condition with an index of deliveries.
 */
export function scansEvents(filter: DeliveryFilter): boolean {
  const { eventId, runId, conversationId, contactId, type } = filter
  if ([eventId, runId, conversationId, contactId].some((value) => value !== undefined)) return true
  return type !== undefined && !isFrequent(type) && indexedDeliveryCondition(filter) === null
}

async function searchById(db: Kysely<DB>, search: Search): Promise<Found> {
  const { rows } = await sql<DeliveryRow>`
    ${PLAN_EACH_TIME} select ${SHOWN} from webhook_delivery found ${JOINED}
    where found.id = ${search.deliveryId} and found.company_id = ${search.companyId}
      and ${allOf([...deliveryConditions(search), ...eventConditions(search)])}
      and ${ofEndpoint(search)} and ${before(search.cursor)} and ${timeCondition(search)}
  `.execute(db)
  return { rows, floor: null, position: alongDeliveries }
}

/** Loads deliveries of the company by id, in no particular order. */
export async function loadDeliveries(
  db: Kysely<DB>,
  { companyId, ids }: { companyId: string; ids: readonly string[] },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${SHOWN} from unnest(${ids}::uuid[]) wanted (id)
      cross join lateral (
        select * from webhook_delivery where webhook_delivery.id = wanted.id limit 1
      ) found ${JOINED}
    where found.company_id = ${companyId}
  `.execute(db)
  return rows
}

function before(cursor: LogPosition | undefined): Condition {
  return cursor === undefined ? EACH : sql`found.id < ${cursor.deliveryId}`
}

function ofEndpoint({ endpointId }: DeliveryFilter): Condition {
  return endpointId === undefined ? EACH : sql`found.endpoint_id = ${endpointId}`
}

async function searchByEndpoints(db: Kysely<DB>, search: Search): Promise<Found> {
  const { companyId, endpointId, limit, cursor } = search
  const indexed = indexedDeliveryCondition(search)
  const ofEvents = eventConditions(search)
  const needsEvent = ofEvents.length > 0
  const rest = [
    ...deliveryConditions(search).filter((condition) => condition !== indexed),
    ...ofEvents,
  ]
  const scanLimit =
    rest.length === 0
      ? limit + 1
      : endpointId === undefined
        ? Math.ceil(LOG_LIMITS.scannedRows / 10)
        : LOG_LIMITS.scannedRows
  const below = cursor?.deliveryId
  const { rows } = await sql<WithFloor>`
    ${PLAN_EACH_TIME} with own as materialized (
      select id from endpoint where company_id = ${companyId}
        and ${endpointId === undefined ? EACH : sql`id = ${endpointId}`}
    ), found as materialized (
      select delivery.*, row_number() over (partition by own.id order by delivery.id desc) as nth
      from own cross join lateral (
        select * from webhook_delivery found
        where found.endpoint_id = own.id and ${indexed ?? EACH} and ${timeCondition(search)}
          and ${below === undefined ? EACH : sql`found.id < ${below}`}
        order by found.id desc limit ${scanLimit}
      ) delivery
    ), edge as (
      select id as floor from found where nth = ${scanLimit} and ${rest.length > 0}
      order by id desc limit 1
    ), matched as materialized (
      select found.* from found ${needsEvent ? EVENT_JOINED : EMPTY}
      where ${allOf(rest)} and (found.id >= (select floor from edge)
        or not exists (select from edge))
      order by found.id desc limit ${limit + 1}
    ), page as (
      select ${SHOWN} from matched found ${JOINED}
    )
    select page.*, edge.floor
    from (select) one left join edge on true left join page on true
    order by page.id desc
  `.execute(db)
  return withFloor(rows, (floor) => ({ eventId: null, deliveryId: floor }), alongDeliveries)
}

async function searchByEvents(db: Kysely<DB>, search: Search): Promise<Found> {
  const { companyId, limit, cursor } = search
  const indexed = indexedEventCondition(search)
  const rest = eventConditions(search).filter((condition) => condition !== indexed)
  const newest = search.to && oldestIdAt(search.to)
  const { rows } = await sql<WithFloor>`
    ${PLAN_EACH_TIME} with happened as materialized (
      select event.*, row_number() over (order by event.id desc) as nth from (
        select id, type, conversation_id, contact_id, run_id from event
        where event.company_id = ${companyId} and ${indexed}
          and ${newest === undefined ? EACH : sql`event.id < ${newest}`}
          and ${cursor?.eventId ? sql`event.id <= ${cursor.eventId}` : EACH}
        order by event.id desc limit ${LOG_LIMITS.scannedEvents}
      ) event
    ), edge as (
      select id as floor from happened where nth = ${LOG_LIMITS.scannedEvents}
    ), matched as materialized (
      select found.* from happened event
        cross join lateral (
          select * from deliveries_of(event.id) found
          order by found.id desc limit ${LOG_LIMITS.scannedEvents}
        ) found
      where found.company_id = ${companyId} and ${allOf(rest)}
        and ${allOf(deliveryConditions(search))} and ${timeCondition(search)} and ${ofEndpoint(search)}
        and ${cursor?.eventId ? sql`(event.id, found.id) < (${cursor.eventId}, ${cursor.deliveryId})` : EACH}
      order by event.id desc, found.id desc limit ${limit + 1}
    ), page as (
      select ${SHOWN} from matched found ${JOINED}
    )
    select page.*, edge.floor
    from (select) one left join edge on true left join page on true
    order by page.event_id desc, page.id desc
  `.execute(db)
  return withFloor(
    rows,
    (floor) => ({ eventId: floor, deliveryId: NO_ID_BELOW }),
    ({ eventId, id }) => ({ eventId, deliveryId: id }),
  )
}

/** A row of the page with the floor of the scan; an empty page is one row of nulls. */
type WithFloor = Omit<DeliveryRow, 'id'> & { id: string | null; floor: string | null }

function withFloor(
  rows: readonly WithFloor[],
  positionOfFloor: (floor: string) => LogPosition,
  position: Found['position'],
): Found {
  const floor = rows[0]?.floor ?? null
  return {
    rows: rows.filter((row): row is WithFloor & { id: string } => row.id !== null),
    floor: floor === null ? null : positionOfFloor(floor),
    position,
  }
}

function alongDeliveries({ id }: DeliveryRow): LogPosition {
  return { eventId: null, deliveryId: id }
}

const SHOWN =
  sql.raw(`found.id, found.company_id, found.endpoint_id, endpoint.name as endpoint_name,
  endpoint.deleted_at as endpoint_deleted_at, found.event_id, event.type as event_type,
  event.conversation_id, event.contact_id, contact.name as contact_name,
  contact.phone as contact_phone, event.run_id, found.api_version, found.kind,
  found.body_id, found.resend_of, found.job_id, found.state, found.attempts, queued.due_at,
  found.last_status, found.last_error, found.last_ms, found.created_at, found.ended_at,
  resent.id as last_resend_id, resent.state as last_resend_state`)

const EMPTY = sql``

/** A lateral join of the event of a found delivery, which `eventConditions` need. */
export const EVENT_JOINED = sql.raw(`
  cross join lateral (select id, type, conversation_id, contact_id, run_id from event
    where event.id = found.event_id limit 1) event`)

/** Lateral joins of the event, endpoint, customer and newest resend of a found delivery. */
const JOINED = sql`${EVENT_JOINED} cross join lateral (select name, deleted_at from endpoint
    where endpoint.id = found.endpoint_id limit 1) endpoint
  left join lateral (select name, phone from contact
    where contact.id = event.contact_id limit 1) contact on true
  left join lateral (select due_at from delivery_queue
    where delivery_queue.id = found.id limit 1) queued on true
  left join lateral (select id, state from webhook_delivery resend
    where resend.resend_of = found.id order by resend.id desc limit 1) resent on true`

/**
 * Returns all conditions of a filter on columns of the delivery, also the indexed one. They are memoised per filter, so
 * that a caller can exclude the indexed one by identity.
 */
export function deliveryConditions(filter: DeliveryFilter): Condition[] {
  return Object.values(conditionsOf(filter).delivery).filter((condition) => condition !== undefined)
}

/** Returns all conditions of a filter on columns of the event, also the indexed one. */
export function eventConditions(filter: DeliveryFilter): Condition[] {
  return Object.values(conditionsOf(filter).event).filter((condition) => condition !== undefined)
}

/** Returns the rarest condition that an index of an endpoint's deliveries serves, or null. */
export function indexedDeliveryCondition(filter: DeliveryFilter): Condition | null {
  const { kind, state, error, status, slow, viewIndexed } = conditionsOf(filter).delivery
  if (kind && filter.kind !== 'event') return kind
  if (state && filter.state !== 'delivered' && filter.state !== 'pending') return state
  if (viewIndexed) return viewIndexed
  if (slow && filter.slowerThanMs! >= LOG_LIMITS.slowMs) return slow
  return error ?? (filter.status !== undefined && !isUsual(filter.status) ? status! : null)
}

/** Returns the rarest condition that an index of events serves; true without any. */
export function indexedEventCondition(filter: DeliveryFilter): Condition {
  const { id, run, conversation, contact, type } = conditionsOf(filter).event
  return id ?? run ?? conversation ?? contact ?? type ?? EACH
}

const made = new WeakMap<DeliveryFilter, ReturnType<typeof makeConditions>>()

function conditionsOf(filter: DeliveryFilter) {
  const known = made.get(filter) ?? makeConditions(filter)
  made.set(filter, known)
  return known
}

function makeConditions(filter: DeliveryFilter) {
  const { kind, state, error, status, statusClass, slowerThanMs, view } = filter
  const { eventId, runId, conversationId, contactId, type } = filter
  // The planner uses a partial index only when the query repeats its predicate; a parameter is not enough.
  return {
    delivery: {
      kind: when(kind, (word) =>
        word === 'event'
          ? sql`found.kind = 'event'`
          : sql`(found.kind = ${word} and found.kind <> 'event')`,
      ),
      state: when(state, (word) =>
        word === 'delivered'
          ? sql`found.state = 'delivered'`
          : word === 'pending'
            ? sql`found.state = 'pending'`
            : sql`found.odd_state = ${word}`,
      ),
      error: when(error, (word) => sql`found.last_error = ${word}`),
      status: when(status, (code) =>
        isUsual(code)
          ? sql`found.last_status = ${code}::smallint`
          : sql`found.odd_status = ${code}::smallint`,
      ),
      statusClass: when(
        statusClass,
        (digit) => sql`found.last_status between ${digit * 100} and ${digit * 100 + 99}`,
      ),
      slow: when(slowerThanMs, slowerThan),
      viewIndexed: when(view, (name) => VIEWS[name].indexed),
      viewRest: when(view, (name) => VIEWS[name].rest),
    },
    event: {
      id: when(eventId, (id) => sql`event.id = ${id}`),
      run: when(runId, (id) => sql`event.run_id = ${id}`),
      conversation: when(conversationId, (id) => sql`event.conversation_id = ${id}`),
      contact: when(contactId, (id) => sql`event.contact_id = ${id}`),
      type: when(type, (word) =>
        isFrequent(word)
          ? sql`event.type = ${word}`
          : sql`(event.type = ${word} and event.type not in (${FREQUENT_TYPES}))`,
      ),
    },
  }
}

/**
 * The conditions of each view: `indexed` is served by an index, `rest` is checked row by row. No view has tests. The
 * rule `isInView` decides the same for one delivery.
 */
const VIEWS: Record<DeliveryView, { indexed?: Condition; rest: Condition }> = {
  failed: {
    rest: sql`(found.last_error is not null and found.state <> 'delivered'
      and found.kind <> 'test')`,
  },
  retrying: {
    indexed: sql`found.odd_state = 'pending'`,
    rest: sql`(found.attempts > 0 and found.kind <> 'test')`,
  },
  gave_up: {
    indexed: sql`found.odd_state = 'dead_lettered'`,
    rest: sql`found.kind <> 'test'`,
  },
  slow: { indexed: slowerThan(LOG_LIMITS.slowMs), rest: sql`found.kind <> 'test'` },
}

/** Returns whether most deliveries have this status, so that no index contains it. */
const isUsual = (status: number) => status >= 200 && status <= 299

/** Returns whether no index contains the events of this type. */
const isFrequent = (type: EventType) => FREQUENT_EVENT_TYPES.some((frequent) => frequent === type)

const FREQUENT_TYPES = sql.join(FREQUENT_EVENT_TYPES.map((type) => sql.lit(type)))

/** Slow deliveries have a partial index, which the planner uses only with its exact predicate. */
function slowerThan(ms: number): Condition {
  return ms < LOG_LIMITS.slowMs
    ? sql`found.last_ms > ${ms}`
    : sql`(found.slow_ms is not null and found.last_ms > ${ms})`
}

function when<T>(
  value: T | undefined,
  make: (value: T) => Condition | undefined,
): Condition | undefined {
  return value === undefined ? undefined : make(value)
}

/** Joins conditions by `and`; true without any. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? EACH : sql`(${sql.join(conditions, sql` and `)})`
}

/** Returns the condition that a delivery is from a period, by its id: ids are ordered by time. */
export function timeCondition({ from, to }: Pick<DeliveryFilter, 'from' | 'to'>): Condition {
  return allOf([
    ...(from ? [sql`found.id >= ${oldestIdAt(from)}`] : []),
    ...(to ? [sql`found.id < ${oldestIdAt(to)}`] : []),
  ])
}
