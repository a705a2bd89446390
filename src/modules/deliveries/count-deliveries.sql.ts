import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  DeliveryFilter,
  DeliverySearch,
  DeliveryViewCounts,
  ViewsQuery,
} from '../../contract/dashboard/delivery.ts'
import type { BoundedCount } from '../../contract/dashboard/endpoint.ts'
import { readInIndexOrder } from '../../infra/database/prefer-index-order.ts'
import { PLANNED_EACH_TIME } from '../../infra/database/prepare-statements.ts'
import type { DB } from '../../infra/database/tables.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { DELIVERY_VIEWS } from '../../core/vocabulary/deliveries.ts'
import { resolvePhoneFilter } from './resolve-phone-filter.ts'
import {
  allOf,
  deliveryConditions,
  EVENT_JOINED,
  eventConditions,
  scansEvents,
  timeCondition,
  indexedDeliveryCondition,
  indexedEventCondition,
} from './search-deliveries.sql.ts'
import { withinLog } from './within-log.ts'

type Counted = { matched: number; scanned: number }

const EACH = sql`true`
const EACH_TIME = sql.raw(PLANNED_EACH_TIME)
/** The maximum number of rows read: one more than the count shown, to detect that there are more. */
const MAX_SCANNED = LOG_LIMITS.maxCounted + 1

/**
 * Counts the deliveries that match a filter of the log. Reads at most a fixed number of the newest rows; `isMore` states
 * that it stopped there, so that the count is a lower bound.
 */
export async function countDeliveries(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, ...search }: DeliverySearch & { companyId: string },
): Promise<BoundedCount> {
  const found = await resolvePhoneFilter(db.kysely, { companyId, ...search })
  if (!found) return { count: 0, isMore: false }
  const filter = withinLog(found, clock.now())
  return readInIndexOrder(db.kysely, async (tx) => {
    const counted =
      scansEvents(filter) && filter.deliveryId === undefined
        ? alongEvents(companyId, filter)
        : alongEndpoints(companyId, filter)
    const { rows } = await sql<Counted>`${EACH_TIME} ${counted}`.execute(tx)
    return bounded(rows[0]!)
  })
}

/** Counts the deliveries of each view of the log, in one statement. */
export async function countViews(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, ...search }: ViewsQuery & { companyId: string },
): Promise<DeliveryViewCounts> {
  const filter = withinLog(search, clock.now())
  const counts = DELIVERY_VIEWS.map(
    (view) => sql`select ${view}::text as view, counted.*
      from (${alongEndpoints(companyId, { ...filter, view })}) counted`,
  )
  const { rows } = await readInIndexOrder(db.kysely, (tx: Kysely<DB>) =>
    sql<Counted & { view: string }>`${EACH_TIME} ${sql.join(counts, sql` union all `)}`.execute(tx),
  )
  return Object.fromEntries(rows.map((row) => [row.view, bounded(row)])) as DeliveryViewCounts
}

function bounded({ matched, scanned }: Counted): BoundedCount {
  return {
    count: Math.min(matched, LOG_LIMITS.maxCounted),
    isMore: scanned >= MAX_SCANNED,
  }
}

/** Builds the count over the newest deliveries of each endpoint, along the index of the rarest filter. */
function alongEndpoints(companyId: string, filter: DeliveryFilter): RawBuilder<unknown> {
  const { endpointId, deliveryId } = filter
  const indexed = indexedDeliveryCondition(filter)
  const ofEvents = eventConditions(filter)
  const rest = deliveryConditions(filter).filter((condition) => condition !== indexed)
  return sql`
    select count(*) filter (where is_match)::int as matched, count(*)::int as scanned
    from (
      select ${allOf([...rest, ...ofEvents])} as is_match
      from (select id from endpoint where company_id = ${companyId}
          and ${endpointId === undefined ? EACH : sql`id = ${endpointId}`}) own
        cross join lateral (
          select * from webhook_delivery found
          where found.endpoint_id = own.id and ${indexed ?? EACH} and ${timeCondition(filter)}
            and ${deliveryId === undefined ? EACH : sql`found.id = ${deliveryId}`}
          order by found.id desc limit ${MAX_SCANNED}
        ) found ${ofEvents.length > 0 ? EVENT_JOINED : sql``}
      limit ${MAX_SCANNED}
    ) looked`
}

/** Builds the count over the newest events that match the rarest filter. */
function alongEvents(companyId: string, filter: DeliveryFilter): RawBuilder<unknown> {
  const { endpointId } = filter
  const indexed = indexedEventCondition(filter)
  const rest = eventConditions(filter).filter((condition) => condition !== indexed)
  return sql`
    select count(*) filter (where is_match)::int as matched, count(*)::int as scanned
    from (
      select ${allOf([
        ...rest,
        ...deliveryConditions(filter),
        timeCondition(filter),
        endpointId === undefined ? EACH : sql`found.endpoint_id = ${endpointId}`,
      ])} as is_match
      from (
          select id, type, conversation_id, contact_id, run_id from event
          where event.company_id = ${companyId} and ${indexed}
          order by event.id desc limit ${MAX_SCANNED}
        ) event
        cross join lateral (
          select * from deliveries_of(event.id) found
          where found.company_id = ${companyId} limit ${MAX_SCANNED}
        ) found
      limit ${MAX_SCANNED}
    ) looked`
}
