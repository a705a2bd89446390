import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { AttemptError, DeliveryState } from '../vocabulary.ts'

/** What one attempt came to, ready to be written. */
export type SettledAttempt = {
  attemptId: string
  deliveryId: string
  companyId: string
  endpointId: string
  claimId: string
  /** 1 to 8. */
  number: number
  isTest: boolean
  url: string
  startedAt: Date
  endedAt: Date
  durationMs: number
  dnsMs: number | null
  connectMs: number | null
  answerMs: number | null
  httpStatus: number | null
  error: AttemptError | null
  errorDetail: string | null
  remoteAddress: string | null
  answerHeaders: Buffer | null
  answerHead: Buffer | null
  signedWith: string[]
  /** The delivery's state from here on, and when its next attempt is due while it stays pending. */
  state: Extract<DeliveryState, 'pending' | 'delivered' | 'dead_lettered'>
  dueAt: Date | null
}

/**
 * Writes a batch of finished attempts in one statement: the attempt rows, the deliveries' next state
 * and the endpoints' count of failures in a row.
 *
 * Isolation: a delivery moves only while it still carries the claim id of its attempt. A worker that
 * finishes after its lease has gone matches no row: its attempt is logged as late and counts for
 * nothing. Deliveries and endpoints are locked in id order, so that two batches cannot deadlock.
 */
export async function settleAttempts(
  db: Kysely<DB>,
  attempts: readonly SettledAttempt[],
): Promise<void> {
  const column = <Key extends keyof SettledAttempt>(key: Key) => attempts.map((row) => row[key])
  // PostgreSQL has no ragged arrays: the last-fours of an attempt travel as one joined text.
  const signedWith = attempts.map((row) => row.signedWith.join(','))
  await sql`
    with settled as materialized (
      select * from unnest(
        ${column('attemptId')}::uuid[], ${column('deliveryId')}::uuid[],
        ${column('companyId')}::uuid[], ${column('endpointId')}::uuid[],
        ${column('claimId')}::uuid[], ${column('number')}::smallint[],
        ${column('isTest')}::boolean[], ${column('url')}::text[],
        ${column('startedAt')}::timestamptz[], ${column('endedAt')}::timestamptz[],
        ${column('durationMs')}::int[], ${column('dnsMs')}::int[],
        ${column('connectMs')}::int[], ${column('answerMs')}::int[],
        ${column('httpStatus')}::smallint[], ${column('error')}::text[],
        ${column('errorDetail')}::text[], ${column('remoteAddress')}::text[],
        ${column('answerHeaders')}::bytea[], ${column('answerHead')}::bytea[],
        ${signedWith}::text[], ${column('state')}::text[], ${column('dueAt')}::timestamptz[]
      ) as t (attempt_id, delivery_id, company_id, endpoint_id, claim_id, number, is_test, url,
        started_at, ended_at, duration_ms, dns_ms, connect_ms, answer_ms, http_status, error,
        error_detail, remote_address, answer_headers, answer_head, signed_with, state, due_at)
    ), held as materialized (
      select settled.attempt_id from webhook_delivery join settled
        on settled.delivery_id = webhook_delivery.id and settled.claim_id = webhook_delivery.claim_id
      order by webhook_delivery.id for update of webhook_delivery
    ), moved as (
      update webhook_delivery
      set state = settled.state, attempts = settled.number, due_at = settled.due_at,
        claim_id = null, claimed_until = null,
        ended_at = case when settled.state = 'pending' then null else settled.ended_at end
      from settled join held using (attempt_id)
      where webhook_delivery.id = settled.delivery_id
    ), logged as (
      insert into delivery_attempt (id, company_id, delivery_id, endpoint_id, number, url, started_at,
        duration_ms, dns_ms, connect_ms, answer_ms, http_status, error, error_detail,
        remote_address, answer_headers, answer_head, signed_with, is_late)
      select attempt_id, company_id, delivery_id, endpoint_id, number, url, started_at, duration_ms,
        dns_ms, connect_ms, answer_ms, http_status, error, error_detail, remote_address,
        answer_headers, answer_head, string_to_array(signed_with, ','),
        attempt_id not in (select attempt_id from held)
      from settled
    ), counted as (
      select endpoint_id,
        max(ended_at) filter (where error is null) as last_success_at,
        max(ended_at) filter (where error is not null) as last_failure_at,
        min(ended_at) filter (where error is not null) as first_failure_at,
        count(*) filter (where error is not null) as failures,
        count(*) filter (where error is not null and ended_at > coalesce(succeeded_at, '-infinity'))
          as failures_since_success
      from (
        select settled.*, max(ended_at) filter (where error is null)
          over (partition by endpoint_id) as succeeded_at
        from settled join held using (attempt_id) where not is_test
      ) of_endpoint
      group by endpoint_id
    ), locked as materialized (
      select endpoint_health.endpoint_id from endpoint_health join counted using (endpoint_id)
      order by endpoint_health.endpoint_id for update of endpoint_health
    )
    update endpoint_health
    set failures_in_row = case when counted.last_success_at is null
        then endpoint_health.failures_in_row + counted.failures
        else counted.failures_since_success end,
      failing_since = case
        when counted.last_success_at is null
          then coalesce(endpoint_health.failing_since, counted.first_failure_at)
        when counted.failures_since_success = 0 then null
        else counted.last_failure_at end,
      last_success_at = coalesce(counted.last_success_at, endpoint_health.last_success_at),
      last_failure_at = coalesce(counted.last_failure_at, endpoint_health.last_failure_at)
    from counted, locked
    where endpoint_health.endpoint_id = counted.endpoint_id
      and locked.endpoint_id = counted.endpoint_id
  `.execute(db)
}
