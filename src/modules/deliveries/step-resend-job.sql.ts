import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import { rest, scan, type JobRange } from './match-job.sql.ts'
import { EVENT_BESIDE } from './search-deliveries.sql.ts'

export type Step = {
  made: number
  passedOver: number
  /** The last delivery that the step looked at; null when nothing is left. */
  position: string | null
}

/**
 * One step of a job of resends: new deliveries for the next `most` that it means, each with its own
 * copy of the body, due now in the lane of retries. Where few of many match, a step makes fewer.
 *
 * Isolation: the caller holds the job's row, and writes the job's position in the same transaction: a
 * step that is cut off is rolled back whole. What the job has resent it passes over, should a step be
 * done twice all the same.
 */
export async function stepResends(
  tx: Transaction<DB>,
  { jobId, most, ...range }: JobRange & { jobId: string; most: number },
): Promise<Step> {
  const { rows } = await sql<{ made: number; matched: number; position: string | null }>`
    with scanned as materialized (${scan(range, RESEND_JOB.scannedRows)}),
    matched as materialized (
      select found.*, new_uuid_v7(${range.now}) as resend_id
      from scanned found ${EVENT_BESIDE}
      where ${rest(range)} order by found.id limit ${most}
    ), source as materialized (
      select matched.*, body.body from matched
        cross join lateral (
          select body from event_body
          where event_body.id = matched.body_id and event_body.api_version = matched.api_version
          limit 1
        ) body
      where not exists (select from webhook_delivery before
        where before.resend_of = matched.id and before.job_id = ${jobId})
    ), written as (
      insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
        kind, resend_of, job_id, state, created_at)
      select resend_id, company_id, endpoint_id, event_id, resend_id, api_version, 'resend', id,
        ${jobId}, 'pending', ${range.now}::timestamptz
      from source
      returning id
    ), queued as (
      insert into delivery_queue (id, company_id, endpoint_id, kind, lane, due_at)
      select resend_id, company_id, endpoint_id, 'resend', 'again', ${range.now}::timestamptz
      from source
    ), copied as (
      insert into event_body (id, api_version, body)
      select resend_id, api_version, body from source
    )
    select (select count(*)::int from written) as made,
      (select count(*)::int from matched) as matched,
      case when (select count(*) from matched) >= ${most}
          then (select id from matched order by id desc limit 1)
        when (select count(*) from scanned) >= ${RESEND_JOB.scannedRows}
          then (select id from scanned order by id desc limit 1)
      end as position
  `.execute(tx)
  const { made, matched, position } = rows[0]!
  return { made, passedOver: matched - made, position }
}
