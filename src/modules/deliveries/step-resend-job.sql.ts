import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import { scanRange, unindexedConditions, type JobRange } from './match-job.sql.ts'
import { EVENT_JOINED } from './search-deliveries.sql.ts'

/** The result of one page of a resend job. */
export type ResendPage = {
  /** Deliveries that it created or released. */
  made: number
  /** Matching deliveries that it skipped: their bodies are gone, or the job has resent them already. */
  passedOver: number
  /** The last delivery that the page examined; null when nothing is left. */
  position: string | null
}

/**
 * Processes one page of a resend job: creates up to `limit` deliveries, each with a copy of its body, due now in the
 * queue of retries. A page makes fewer when few of the rows examined match.
 *
 * Isolation: the caller locks the job's row and writes its cursor in the same transaction, so an interrupted page is
 * rolled back whole. Deliveries that the job has resent already are skipped, should a page run twice nevertheless.
 */
export async function processResendPage(
  tx: Transaction<DB>,
  { jobId, limit, ...range }: JobRange & { jobId: string; limit: number },
): Promise<ResendPage> {
  const { rows } = await sql<{ made: number; matched: number; position: string | null }>`
    with scanned as materialized (${scanRange(range, RESEND_JOB.scannedRows)}),
    matched as materialized (
      select found.*, new_uuid_v7(${range.now}) as resend_id
      from scanned found ${EVENT_JOINED}
      where ${unindexedConditions(range)} order by found.id limit ${limit}
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
      insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at)
      select resend_id, company_id, endpoint_id, 'resend', 'retry', ${range.now}::timestamptz
      from source
    ), copied as (
      insert into event_body (id, api_version, body)
      select resend_id, api_version, body from source
    )
    select (select count(*)::int from written) as made,
      (select count(*)::int from matched) as matched,
      case when (select count(*) from matched) >= ${limit}
          then (select id from matched order by id desc limit 1)
        when (select count(*) from scanned) >= ${RESEND_JOB.scannedRows}
          then (select id from scanned order by id desc limit 1)
      end as position
  `.execute(tx)
  const { made, matched, position } = rows[0]!
  return { made, passedOver: matched - made, position }
}
