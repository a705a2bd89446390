import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { sql, type Kysely } from 'kysely'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { Context } from '../../infra/context.ts'
import type {
  BoundedCount,
  EndpointHealthView,
  HealthQuery,
  HeldCount,
} from '../../contract/dashboard/endpoint.ts'
import type { DB } from '../../infra/database/tables.ts'
import { HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import { firstHour, sumOf } from './read-days.sql.ts'
import { sampleAttempts } from './sample-attempts.sql.ts'
import { showEndpoint, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Returns the health of an endpoint: its failures, its waiting deliveries, and statistics of attempts. They have the sums
 * of each of the last `hours` hours, their total, the total of the same period before, and a sample. @throws not_found
 * Spec: Deliveries › Health.
 */
export async function showEndpointHealth(
  { db, clock, keyRing, formatFact }: Context & { keyRing: KeyRing; formatFact: FormatFact },
  { hours, ...owned }: OwnedEndpoint & HealthQuery,
): Promise<EndpointHealthView> {
  const { failuresInRow, failingSince, lastSuccessAt, lastFailureAt } = await showEndpoint(
    db.kysely,
    { keyRing, clock, formatFact },
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
    pending: await countPending(db.kysely, owned),
    held: await countHeld(db.kysely, owned),
    hours: rows.map((row) => ({
      hour: row.hour.toISOString(),
      attempts: row.attempts,
      failures: row.failures,
      averageMs: row.attempts === 0 ? 0 : Math.round(row.durationMs / row.attempts),
    })),
    now: sumOf(rows),
    before: sumOf(sums.filter(({ hour }) => hour < from)),
    oldestPendingAt: await oldestPending(db.kysely, owned),
    sample: await sampleAttempts(db.kysely, formatFact, { ...owned, from }),
  }
}

/** The queues (column `queue`) of pending deliveries, without tests. */
const TO_SEND = ['first', 'retry', 'later']

async function oldestPending(
  db: Kysely<DB>,
  { companyId, endpointId }: OwnedEndpoint,
): Promise<string | null> {
  // Within a queue the longest due delivery is the oldest one. Retries are due later than they were created, so they
  // are searched by id.
  const { rows } = await sql<{ at: Date | null }>`
    select min(created_at) as at from webhook_delivery where company_id = ${companyId} and id in (
      select oldest.id from unnest(${TO_SEND}::text[]) as of_endpoint (queue) cross join lateral (
        select id from delivery_queue
        where queue = of_endpoint.queue and endpoint_id = ${endpointId} and claim_id is null
          and kind <> 'test'
        order by due_at, id limit 1) oldest
      union all (select id from delivery_queue where company_id = ${companyId}
        and endpoint_id = ${endpointId} and claim_id is not null and kind <> 'test')
      union all (select id from webhook_delivery where endpoint_id = ${endpointId}
        and odd_state = 'pending' and kind <> 'test' order by id limit 1))
  `.execute(db)
  return rows[0]!.at?.toISOString() ?? null
}

async function countPending(db: Kysely<DB>, owned: OwnedEndpoint): Promise<BoundedCount> {
  const { tried: _, ...pending } = await countWaiting(db, owned, TO_SEND)
  return pending
}

/** Counts the deliveries that are held until a member sends them; `tried` of them were attempted before. */
export function countHeld(db: Kysely<DB>, owned: OwnedEndpoint): Promise<HeldCount> {
  return countWaiting(db, owned, ['held'])
}

/** Counts the deliveries of an endpoint in some queues, without tests, up to 10,000, as there may be millions. */
async function countWaiting(
  db: Kysely<DB>,
  { companyId, endpointId }: OwnedEndpoint,
  queues: readonly string[],
): Promise<HeldCount> {
  const limit = HEALTH_GRAPH.maxCount
  const { rows } = await sql<{ count: number; tried: number }>`
    select count(*)::int as count, (count(*) filter (where attempts > 0))::int as tried from (
      select id from delivery_queue
      where queue = any(${queues}::text[]) and endpoint_id = ${endpointId}
        and company_id = ${companyId} and kind <> 'test'
      limit ${limit + 1}) waiting
      cross join lateral (select attempts from webhook_delivery
        where webhook_delivery.id = waiting.id limit 1) delivery
  `.execute(db)
  const { count, tried } = rows[0]!
  return { count: Math.min(count, limit), isMore: count > limit, tried: Math.min(tried, limit) }
}
