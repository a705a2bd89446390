import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DeliveryFilter, JobFilter } from '../../contract/dashboard/delivery.ts'
import type { JobCount } from '../../contract/dashboard/resend-job.ts'
import { readInIndexOrder } from '../../infra/database/prefer-index-order.ts'
import { PLANNED_EACH_TIME } from '../../infra/database/prepare-statements.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import type { ResendJobKind } from '../../core/vocabulary/deliveries.ts'
import { oldestResendable } from './resend-delivery.ts'
import {
  deliveryConditions,
  EVENT_JOINED,
  eventConditions,
  indexedDeliveryCondition,
} from './search-deliveries.sql.ts'

/** The deliveries that a job covers: those with an id between `position`, its cursor, and `beforeId`. */
export type JobRange = {
  companyId: string
  endpointId: string
  kind: ResendJobKind
  filter: JobFilter
  position: string
  beforeId: string
  now: Date
}

/** Counts the deliveries that a job has left, up to a limit. `isAtLeast` states that there may be more. */
export async function countMatches(db: Kysely<DB>, range: JobRange): Promise<JobCount> {
  const { rows } = await readInIndexOrder(db, (tx) =>
    sql<{ matched: number; scanned: number }>`
      with scanned as materialized (
        ${inRange(range)} limit ${RESEND_JOB.countScannedRows}
      ),
      counted as (
        select from scanned found ${EVENT_JOINED}
        where ${unindexedConditions(range)} limit ${RESEND_JOB.maxCounted + 1}
      )
      select (select count(*)::int from counted) as matched,
        (select count(*)::int from scanned) as scanned
    `.execute(tx),
  )
  const { matched, scanned } = rows[0]!
  return {
    count: Math.min(matched, RESEND_JOB.maxCounted),
    isAtLeast: matched > RESEND_JOB.maxCounted || scanned >= RESEND_JOB.countScannedRows,
  }
}

/** Builds the query of the endpoint's deliveries in a job's range, oldest first, through the index of the rarest filter. */
export function scanRange(range: JobRange, limit: number): RawBuilder<unknown> {
  return sql`${inRange(range)} order by found.id limit ${limit}`
}

/** Builds the unordered scan, as counting needs no sort. */
function inRange(range: JobRange): RawBuilder<unknown> {
  const { companyId, endpointId, position, beforeId, now, filter } = range
  const indexed =
    range.kind === 'held'
      ? sql`found.odd_state = 'held'`
      : indexedDeliveryCondition(readJobFilter(filter))
  const oldest = [position, oldestResendable(now), filter.from && oldestIdAt(new Date(filter.from))]
    .filter((id) => id !== undefined)
    .toSorted()
    .at(-1)!
  const newest = [beforeId, ...(filter.to ? [oldestIdAt(new Date(filter.to))] : [])].toSorted()[0]!
  return sql`
    ${sql.raw(PLANNED_EACH_TIME)} select * from webhook_delivery found
    where found.endpoint_id = ${endpointId} and found.company_id = ${companyId}
      and ${indexed ?? sql`true`} and found.id > ${oldest} and found.id < ${newest}`
}

/**
 * Returns the SQL conditions of a job's filter that no index serves, so that they are checked row by row. A job resends
 * events only, each once.
 */
export function unindexedConditions(range: JobRange): RawBuilder<unknown> {
  if (range.kind === 'held') return sql`true`
  const filter = readJobFilter(range.filter)
  return sql.join(
    [
      sql`found.kind = 'event' and found.event_id > ${oldestResendable(range.now)}`,
      ...(filter.state === undefined ? [sql`found.state not in ('pending', 'held')`] : []),
      ...deliveryConditions(filter),
      ...eventConditions(filter),
    ],
    sql` and `,
  )
}

/** Converts the filter of a job to one of the log; `inRange` applies its times. */
function readJobFilter({ from: _from, to: _to, ...filter }: JobFilter): DeliveryFilter {
  return filter
}
