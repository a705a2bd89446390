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
import { findCustomer } from './find-customer.ts'
import {
  allOf,
  deliveryConditions,
  EVENT_BESIDE,
  eventConditions,
  goesAlongEvents,
  idBounds,
  leadOfDeliveries,
  leadOfEvents,
} from './search-deliveries.sql.ts'

type Counted = { matched: number; scanned: number }

const EACH = sql`true`
const EACH_TIME = sql.raw(PLANNED_EACH_TIME)
/** One more than is told, to know whether there are more. */
const MOST = LOG_LIMITS.countedMost + 1

/**
 * How many deliveries a filter of the log finds: exactly up to a limit, else at least so many. No more
 * rows than that are looked at, so where few of many match it is what was found among the newest.
 */
export async function countDeliveries(
  { db }: Pick<Context, 'db'>,
  { companyId, ...asked }: DeliverySearch & { companyId: string },
): Promise<BoundedCount> {
  const filter = await findCustomer(db.kysely, { companyId, ...asked })
  if (!filter) return { count: 0, isMore: false }
  return readInIndexOrder(db.kysely, async (tx) => {
    const counted =
      goesAlongEvents(filter) && filter.deliveryId === undefined
        ? alongEvents(companyId, filter)
        : alongEndpoints(companyId, filter)
    const { rows } = await sql<Counted>`${EACH_TIME} ${counted}`.execute(tx)
    return bounded(rows[0]!)
  })
}

/** How many deliveries each view of the log holds, in one statement. */
export async function countViews(
  { db }: Pick<Context, 'db'>,
  { companyId, ...asked }: ViewsQuery & { companyId: string },
): Promise<DeliveryViewCounts> {
  const counts = DELIVERY_VIEWS.map(
    (view) => sql`select ${view}::text as view, counted.*
      from (${alongEndpoints(companyId, { ...asked, view })}) counted`,
  )
  const { rows } = await readInIndexOrder(db.kysely, (tx: Kysely<DB>) =>
    sql<Counted & { view: string }>`${EACH_TIME} ${sql.join(counts, sql` union all `)}`.execute(tx),
  )
  return Object.fromEntries(rows.map((row) => [row.view, bounded(row)])) as DeliveryViewCounts
}

function bounded({ matched, scanned }: Counted): BoundedCount {
  return {
    count: Math.min(matched, LOG_LIMITS.countedMost),
    isMore: scanned >= MOST,
  }
}

/** The newest of each endpoint, along the index of the rarest filter; together no more than the limit. */
function alongEndpoints(companyId: string, filter: DeliveryFilter): RawBuilder<unknown> {
  const { endpointId, deliveryId } = filter
  const lead = leadOfDeliveries(filter)
  const ofEvents = eventConditions(filter)
  const rest = deliveryConditions(filter).filter((condition) => condition !== lead)
  return sql`
    select count(*) filter (where is_match)::int as matched, count(*)::int as scanned
    from (
      select ${allOf([...rest, ...ofEvents])} as is_match
      from (select id from endpoint where company_id = ${companyId}
          and ${endpointId === undefined ? EACH : sql`id = ${endpointId}`}) own
        cross join lateral (
          select * from webhook_delivery found
          where found.endpoint_id = own.id and ${lead ?? EACH} and ${idBounds(filter)}
            and ${deliveryId === undefined ? EACH : sql`found.id = ${deliveryId}`}
          order by found.id desc limit ${MOST}
        ) found ${ofEvents.length > 0 ? EVENT_BESIDE : sql``}
      limit ${MOST}
    ) looked`
}

/** Those of the newest events that the rarest filter finds. */
function alongEvents(companyId: string, filter: DeliveryFilter): RawBuilder<unknown> {
  const { endpointId } = filter
  const lead = leadOfEvents(filter)
  const rest = eventConditions(filter).filter((condition) => condition !== lead)
  return sql`
    select count(*) filter (where is_match)::int as matched, count(*)::int as scanned
    from (
      select ${allOf([
        ...rest,
        ...deliveryConditions(filter),
        idBounds(filter),
        endpointId === undefined ? EACH : sql`found.endpoint_id = ${endpointId}`,
      ])} as is_match
      from (
          select id, type, conversation_id, contact_id, run_id from event
          where event.company_id = ${companyId} and ${lead}
          order by event.id desc limit ${MOST}
        ) event
        cross join lateral (
          select * from webhook_delivery found where found.event_id = event.id
            and found.company_id = ${companyId} limit ${MOST}
        ) found
      limit ${MOST}
    ) looked`
}
