import type { Tell } from '../contract/dashboard/told.ts'
import { sql, type Kysely } from 'kysely'
import type { KeyRing } from '../secrets/key-ring.ts'
import type { Context } from '../context.ts'
import type {
  BoundedCount,
  EndpointHealthView,
  HealthQuery,
} from '../contract/dashboard/endpoint.ts'
import type { DB } from '../database/tables.ts'
import { HEALTH_GRAPH } from '../limits/deliveries.ts'
import { firstHour, sumOf } from './read-days.sql.ts'
import { sampleAttempts } from './sample-attempts.sql.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/** How an endpoint has been doing, for a page and its graph. @throws not_found Spec: Deliveries › Health. */
export async function showEndpointHealth(
  { db, clock, keyRing, tell }: Context & { keyRing: KeyRing; tell: Tell },
  { hours, ...owned }: OwnedEndpoint & HealthQuery,
): Promise<EndpointHealthView> {
  const { failuresInRow, failingSince, lastSuccessAt, lastFailureAt } = await showEndpoint(
    db.kysely,
    { keyRing, clock, tell },
    owned,
  )
  const from = firstHour(clock.now(), hours)
  const sums = await db.kysely
    .selectFrom('deliveryHour')
    .select(['hour', 'attempts', 'failures', 'durationMs'])
    .where('endpointId', '=', owned.endpointId)
    .where('companyId', '=', owned.companyId)
    .where('hour', '>=', firstHour(clock.now(), 2 * hours))
    .orderBy('hour')
    .execute()
  const rows = sums.filter(({ hour }) => hour >= from)
  return {
    failuresInRow,
    failingSince,
    lastSuccessAt,
    lastFailureAt,
    pending: await countWaiting(db.kysely, owned, 'pending'),
    held: await countWaiting(db.kysely, owned, 'held'),
    hours: rows.map((row) => ({
      hour: row.hour.toISOString(),
      attempts: row.attempts,
      failures: row.failures,
      averageMs: row.attempts === 0 ? 0 : Math.round(row.durationMs / row.attempts),
    })),
    now: sumOf(rows),
    before: sumOf(sums.filter(({ hour }) => hour < from)),
    oldestPendingAt: await oldestPending(db.kysely, owned),
    sample: await sampleAttempts(db.kysely, tell, { ...owned, from }),
  }
}

async function oldestPending(
  db: Kysely<DB>,
  { companyId, endpointId }: OwnedEndpoint,
): Promise<string | null> {
  const row = await db
    .selectFrom('webhookDelivery')
    .select('createdAt')
    .where('endpointId', '=', endpointId)
    .where('companyId', '=', companyId)
    .where('state', '=', sql.lit('pending'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.createdAt.toISOString() ?? null
}

/** Counts an endpoint's deliveries that wait, no further than 10,000: there may be millions. */
export async function countWaiting(
  db: Kysely<DB>,
  { companyId, endpointId }: OwnedEndpoint,
  state: 'pending' | 'held',
): Promise<BoundedCount> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (
      select from webhook_delivery
      where endpoint_id = ${endpointId} and company_id = ${companyId}
        and state = ${sql.lit(state)}
      limit ${HEALTH_GRAPH.countMost + 1}) waiting
  `.execute(db)
  const count = Number(rows[0]!.count)
  return { count: Math.min(count, HEALTH_GRAPH.countMost), isMore: count > HEALTH_GRAPH.countMost }
}
