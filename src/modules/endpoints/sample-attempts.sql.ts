import { sql, type Kysely } from 'kysely'
import type { HealthSample } from '../../contract/dashboard/endpoint.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { readInIndexOrder } from '../../infra/database/prefer-index-order.ts'
import { PLANNED_EACH_TIME } from '../../infra/database/prepare-statements.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import { attemptHint } from '../../rules/deliveries/attempt-hint.ts'
import type { AttemptError } from '../../core/vocabulary/deliveries.ts'
import type { OwnedEndpoint } from './view-endpoint.ts'

type Row = {
  looked: number
  /** Deliveries sampled, without tests. */
  sampled: number
  since: Date | null
  attempts: number
  p50: number | null
  p95: number | null
  statuses: HealthSample['byStatus'] | null
  types: HealthSample['byType'] | null
  causes: { error: AttemptError; status: number | null; attempts: number }[] | null
}

/**
 * Returns statistics of the attempts of an endpoint's newest deliveries since `from`, without tests and late attempts:
 * durations, statuses, types and causes of failures. One statement reads a bounded number of deliveries along their
 * index, and the attempts of each by key.
 */
export async function sampleAttempts(
  db: Kysely<DB>,
  formatFact: FormatFact,
  { companyId, endpointId, from }: OwnedEndpoint & { from: Date },
): Promise<HealthSample> {
  const limit = HEALTH_GRAPH.sampledDeliveries
  const { rows } = await readInIndexOrder(db, (tx) =>
    sql<Row>`
      ${sql.raw(PLANNED_EACH_TIME)} with newest as materialized (
        select id, event_id, created_at, kind from webhook_delivery
        where endpoint_id = ${endpointId} and company_id = ${companyId}
          and id >= ${oldestIdAt(from)}
        order by id desc limit ${limit + 1}
      ), sampled as materialized (
        select * from newest order by id desc limit ${limit}
      ), tried as materialized (
        select attempt.http_status, attempt.error, attempt.duration_ms, event.type
        from sampled
          cross join lateral (
            select http_status, error, duration_ms from delivery_attempt
            where delivery_id = sampled.id and not is_late
          ) attempt
          cross join lateral (select type from event where id = sampled.event_id limit 1) event
        where sampled.kind <> 'test'
      )
      select (select count(*)::int from newest) as looked,
        (select count(*)::int from sampled where kind <> 'test') as sampled,
        (select min(created_at) from sampled where kind <> 'test') as since,
        (select count(*)::int from tried) as attempts,
        percentiles.both[1] as p50, percentiles.both[2] as p95,
        (select json_agg(one order by one.attempts desc, one.status) from (
          select http_status as status, count(*)::int as attempts from tried group by 1
          order by 2 desc, 1 limit ${HEALTH_GRAPH.causesShown}) one) as statuses,
        (select json_agg(one order by one.attempts desc, one.type) from (
          select type, count(*)::int as attempts, count(error)::int as failures
          from tried group by 1) one) as types,
        (select json_agg(one order by one.attempts desc, one.error, one.status) from (
          select error, http_status as status, count(*)::int as attempts from tried
          where error is not null group by 1, 2
          order by 3 desc, 1, 2 limit ${HEALTH_GRAPH.causesShown}) one) as causes
      from (select percentile_disc(array[0.5, 0.95]) within group (order by duration_ms)
        filter (where http_status is not null) as both from tried) percentiles
    `.execute(tx),
  )
  const row = rows[0]!
  return {
    deliveries: row.sampled,
    isAll: row.looked <= limit,
    since: row.since?.toISOString() ?? null,
    attempts: row.attempts,
    p50Ms: row.p50,
    p95Ms: row.p95,
    byStatus: row.statuses ?? [],
    byType: row.types ?? [],
    causes: (row.causes ?? []).map((cause) => ({
      ...cause,
      message: formatFact(attemptHint(cause.error, cause.status).message),
    })),
  }
}
