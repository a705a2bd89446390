import { sql } from 'kysely'
import type { Database } from '../../infra/database/connect.ts'
import { oneStatement } from '../../infra/database/transaction.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'
import type { RecordedAttempt } from './recorded-attempt.ts'

/**
 * Records successful attempts in one auto-committed statement, so that no health row stays locked over a round trip.
 * A success needs no rule: it resets the count of failures, doubles the slots and delivers its delivery. Pass only
 * endpoints without a failed attempt in the batch.
 *
 * Returns the ids of the attempts written. Skips stale attempts, and resends, whose success also supersedes other
 * deliveries.
 *
 * Isolation: deliveries leave the queue in id order, then health rows are locked in endpoint order, then hours, as in
 * `recordAttempts`. New health is computed from the locked row. The claim id is compared with `is not distinct from`:
 * with `=` the planner knows that it is not null, uses the small index of claimed rows instead of the key, and reads
 * all of them for each delivery. The count of `health` makes its locks precede the update; a comparison with the array
 * of its ids would be repeated for each row, and so would one of a delivery's id.
 */
export async function recordSuccesses(
  db: Pick<Database, 'kysely'>,
  attempts: readonly RecordedAttempt[],
): Promise<Set<string>> {
  if (attempts.length === 0) return new Set()
  const { rows } = await oneStatement(db, (kysely) =>
    sql<{ attemptId: string }>`
    with settled as materialized (
      select * from unnest(
        ${attempts.map((row) => row.attemptId)}::uuid[],
        ${attempts.map((row) => row.deliveryId)}::uuid[],
        ${attempts.map((row) => row.claimId)}::uuid[],
        ${attempts.map((row) => row.number)}::smallint[],
        ${attempts.map((row) => row.isTest)}::boolean[],
        ${attempts.map((row) => row.url)}::text[],
        ${attempts.map((row) => row.startedAt.toISOString())}::timestamptz[],
        ${attempts.map((row) => row.endedAt.toISOString())}::timestamptz[],
        ${attempts.map((row) => row.durationMs)}::int[],
        ${attempts.map((row) => row.dnsMs)}::int[],
        ${attempts.map((row) => row.connectMs)}::int[],
        ${attempts.map((row) => row.answerMs)}::int[],
        ${attempts.map((row) => row.httpStatus)}::smallint[],
        ${attempts.map((row) => row.remoteAddress)}::text[],
        ${attempts.map((row) => row.answerHeaders)}::bytea[],
        ${attempts.map((row) => row.answerHead)}::bytea[],
        ${attempts.map((row) => row.answerIsCut)}::boolean[],
        ${attempts.map((row) => row.headersAreCut)}::boolean[],
        ${attempts.map((row) => row.signedWith.join(','))}::text[]
      ) as t (attempt_id, delivery_id, claim_id, number, is_test, url, started_at, ended_at,
        duration_ms, dns_ms, connect_ms, answer_ms, http_status, remote_address, answer_headers,
        answer_head, answer_is_cut, headers_are_cut, signed_with)
      order by delivery_id
    ), held as materialized (
      delete from delivery_queue using settled
      where delivery_queue.id = settled.delivery_id
        and delivery_queue.id = any(array(select delivery_id from settled))
        and delivery_queue.claim_id is not distinct from settled.claim_id and kind <> 'resend'
      returning settled.*, company_id, endpoint_id
    ), succeeded as materialized (
      select endpoint_id, count(*) as times, max(ended_at) as last_at
      from held where not is_test group by endpoint_id
    ), health as materialized (
      select endpoint_id from endpoint_health
      where endpoint_id = any(array(select endpoint_id from succeeded))
      order by endpoint_id for update
    ), well as (
      update endpoint_health
      set failures_in_row = 0, failing_since = null, warned_at = null,
        slots = least(slots::int << least(times, 4)::int, ${DELIVERY_ENGINE.inFlightPerEndpoint}::int),
        last_success_at = greatest(last_success_at, last_at)
      from succeeded
      where endpoint_health.endpoint_id = succeeded.endpoint_id and (select count(*) from health) > 0
    ), ${ADD_TO_HOURS}, moved as (
      update webhook_delivery
      set state = 'delivered', attempts = held.number, last_status = held.http_status,
        last_error = null, last_ms = held.duration_ms, ended_at = held.ended_at
      from held
      where webhook_delivery.id = held.delivery_id
    ), logged as (
      insert into delivery_attempt (id, company_id, delivery_id, number, url, started_at,
        duration_ms, dns_ms, connect_ms, answer_ms, http_status, remote_address, answer_headers,
        answer_head, answer_is_cut, headers_are_cut, signed_with)
      select attempt_id, company_id, delivery_id, number, url, started_at, duration_ms,
        dns_ms, connect_ms, answer_ms, http_status, remote_address, answer_headers, answer_head,
        answer_is_cut, headers_are_cut, signed_with
      from held
    )
    select attempt_id from held
  `.execute(kysely),
  )
  return new Set(rows.map(({ attemptId }) => attemptId))
}

/**
 * CTEs that add the recorded attempts (`held`) to the hourly sums of their endpoints. The lock of the `health` row also
 * protects its hours. Existing hours are updated first: `on conflict` would lock each of them in a separate step.
 */
const ADD_TO_HOURS = sql`
    hours as materialized (
      select endpoint_id, company_id, date_trunc('hour', ended_at, 'UTC') as hour, count(*) as attempts,
        sum(duration_ms) as duration_ms
      from held where not is_test and endpoint_id = any(array(select endpoint_id from health))
      group by endpoint_id, company_id, hour
    ), added as (
      update delivery_hour set attempts = delivery_hour.attempts + hours.attempts,
        duration_ms = delivery_hour.duration_ms + hours.duration_ms
      from hours
      where delivery_hour.endpoint_id = hours.endpoint_id and delivery_hour.hour = hours.hour
        and delivery_hour.endpoint_id = any(array(select endpoint_id from hours))
      returning delivery_hour.endpoint_id, delivery_hour.hour
    ), summed as (
      insert into delivery_hour (endpoint_id, company_id, hour, attempts, failures, duration_ms)
      select endpoint_id, company_id, hour, attempts, 0, duration_ms from hours
      where (endpoint_id, hour) not in (select endpoint_id, hour from added)
      order by endpoint_id, hour
      on conflict (endpoint_id, hour) do update
      set attempts = delivery_hour.attempts + excluded.attempts,
        duration_ms = delivery_hour.duration_ms + excluded.duration_ms
    )`
