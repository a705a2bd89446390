import { sql, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type { EvaluatedBatch, EndpointVerdict } from './evaluate-attempts.ts'
import { isBetween } from './lock-outcomes.sql.ts'

/**
 * Writes an evaluated batch in one statement: attempts, the deliveries that the caller has locked, the health of
 * their endpoints and hourly sums. Returns the ids of the attempts that it logged as stale.
 *
 * An attempt that exists already was written by a commit whose acknowledgement was lost: its delivery has ended under
 * that claim, so it is not stale.
 */
export async function writeSettled(
  tx: Transaction<DB>,
  evaluated: EvaluatedBatch,
): Promise<string[]> {
  const { attempts, moved, health, hours } = evaluated
  const late = new Set(evaluated.lateIds)
  const { rows } = await sql<{ id: string }>`
    with settled as materialized (
      select * from ${rowsOfMoved(moved)} as t
        (id, state, number, due_at, last_status, last_error, last_ms, ended_at)
    ), waits as (
      update delivery_queue
      set queue = case settled.state when 'held' then 'held' else 'later' end, due_at = settled.due_at,
        claim_id = null, lease_expires_at = null
      from settled
      where delivery_queue.id = settled.id and settled.state in ('pending', 'held')
        and delivery_queue.id = any(array(select id from settled))
    ), done as (
      delete from delivery_queue
      where id = any(array(select id from settled where state not in ('pending', 'held')))
    ), moved as (
      update webhook_delivery
      set state = settled.state, attempts = settled.number, last_status = settled.last_status,
        last_error = settled.last_error, last_ms = settled.last_ms,
        ended_at = case when settled.state not in ('pending', 'held') then settled.ended_at end
      from settled
      where webhook_delivery.id = settled.id
        and webhook_delivery.${isBetween(attempts.map((row) => row.deliveryId))}
    ), logged as (
      insert into delivery_attempt (id, company_id, delivery_id, number, url, started_at,
        duration_ms, dns_ms, connect_ms, answer_ms, http_status, error, error_detail,
        remote_address, answer_headers, answer_head, answer_is_cut, headers_are_cut, signed_with,
        is_late)
      select id, company_id, delivery_id, number, url, started_at, duration_ms, dns_ms,
        connect_ms, answer_ms, http_status, error, error_detail, remote_address, answer_headers,
        answer_head, answer_is_cut, headers_are_cut, signed_with, is_late
      from unnest(
        ${attempts.map((row) => row.attemptId)}::uuid[],
        ${attempts.map((row) => row.companyId)}::uuid[],
        ${attempts.map((row) => row.deliveryId)}::uuid[],
        ${attempts.map((row) => row.number)}::smallint[],
        ${attempts.map((row) => row.url)}::text[],
        ${attempts.map((row) => row.startedAt)}::timestamptz[],
        ${attempts.map((row) => row.durationMs)}::int[],
        ${attempts.map((row) => row.dnsMs)}::int[],
        ${attempts.map((row) => row.connectMs)}::int[],
        ${attempts.map((row) => row.answerMs)}::int[],
        ${attempts.map((row) => row.httpStatus)}::smallint[],
        ${attempts.map((row) => row.error)}::text[],
        ${attempts.map((row) => row.errorDetail)}::text[],
        ${attempts.map((row) => row.remoteAddress)}::text[],
        ${attempts.map((row) => row.answerHeaders)}::bytea[],
        ${attempts.map((row) => row.answerHead)}::bytea[],
        ${attempts.map((row) => row.answerIsCut)}::boolean[],
        ${attempts.map((row) => row.headersAreCut)}::boolean[],
        ${attempts.map((row) => row.signedWith.join(','))}::text[],
        ${attempts.map((row) => late.has(row.attemptId))}::boolean[]
      ) as t (id, company_id, delivery_id, number, url, started_at, duration_ms, dns_ms,
        connect_ms, answer_ms, http_status, error, error_detail, remote_address, answer_headers,
        answer_head, answer_is_cut, headers_are_cut, signed_with, is_late)
      on conflict (delivery_id, id) do nothing
      returning id, is_late
    ), summed as (
      insert into delivery_hour (endpoint_id, company_id, hour, attempts, failures, duration_ms)
      select * from unnest(
        ${hours.map((row) => row.endpointId)}::uuid[], ${hours.map((row) => row.companyId)}::uuid[],
        ${hours.map((row) => row.hour)}::timestamptz[], ${hours.map((row) => row.attempts)}::int[],
        ${hours.map((row) => row.failures)}::int[], ${hours.map((row) => row.durationMs)}::bigint[]
      ) as t (endpoint_id, company_id, hour, attempts, failures, duration_ms)
      order by endpoint_id, hour
      on conflict (endpoint_id, hour) do update
      set attempts = delivery_hour.attempts + excluded.attempts,
        failures = delivery_hour.failures + excluded.failures,
        duration_ms = delivery_hour.duration_ms + excluded.duration_ms
    ), evaluated as (
      update endpoint_health
      set failures_in_row = t.failures_in_row, failing_since = t.failing_since,
        warned_at = t.warned_at, slots = t.slots, last_success_at = t.last_success_at,
        last_failure_at = t.last_failure_at
      from ${rowsOfHealth(health)} as t (endpoint_id, failures_in_row, failing_since, warned_at, slots,
        last_success_at, last_failure_at)
      where endpoint_health.endpoint_id = t.endpoint_id
    )
    select id from logged where is_late
  `.execute(tx)
  return rows.map(({ id }) => id)
}

function rowsOfMoved(moved: EvaluatedBatch['moved']) {
  return sql`unnest(
    ${moved.map(({ attempt }) => attempt.deliveryId)}::uuid[],
    ${moved.map(({ state }) => state)}::text[],
    ${moved.map(({ attempt }) => attempt.number)}::smallint[],
    ${moved.map(({ dueAt }) => dueAt)}::timestamptz[],
    ${moved.map(({ attempt }) => attempt.httpStatus)}::smallint[],
    ${moved.map(({ attempt }) => attempt.error)}::text[],
    ${moved.map(({ attempt }) => attempt.durationMs)}::int[],
    ${moved.map(({ attempt }) => attempt.endedAt)}::timestamptz[])`
}

function rowsOfHealth(health: EvaluatedBatch['health']) {
  return sql`unnest(
    ${health.map((row) => row.endpointId)}::uuid[],
    ${health.map((row) => row.failuresInRow)}::int[],
    ${health.map((row) => row.failingSince)}::timestamptz[],
    ${health.map((row) => row.warnedAt)}::timestamptz[],
    ${health.map((row) => row.slots)}::smallint[],
    ${health.map((row) => row.lastSuccessAt)}::timestamptz[],
    ${health.map((row) => row.lastFailureAt)}::timestamptz[])`
}

/** Ends other unfinished deliveries of events whose resend was delivered; a claimed one is ended by its own outcome. */
export async function supersedeDeliveries(
  tx: Transaction<DB>,
  resent: EvaluatedBatch['resent'],
): Promise<void> {
  if (resent.length === 0) return
  await sql`
    with waiting as materialized (
      select delivery.id, resent.at from (
          select * from unnest(${resent.map((row) => row.eventId)}::uuid[],
            ${resent.map((row) => row.endpointId)}::uuid[],
            ${resent.map((row) => row.at)}::timestamptz[]) as t (event_id, endpoint_id, at)
          order by event_id, endpoint_id) resent
        cross join lateral (
          select id from deliveries_of(resent.event_id)
          where endpoint_id = resent.endpoint_id and kind = 'event' and state in ('pending', 'held')
          order by id) found
        cross join lateral (
          select id from delivery_queue
          where delivery_queue.id = found.id and num_nonnulls(claim_id) = 0 for update) delivery
    ), done as (
      delete from delivery_queue using waiting where delivery_queue.id = waiting.id
    )
    update webhook_delivery set state = 'superseded', ended_at = waiting.at
    from waiting where webhook_delivery.id = waiting.id
  `.execute(tx)
}

/**
 * Switches endpoints off or warns their owners, each with a notice. Skips an endpoint that another worker or a member
 * has switched off by now. Returns those switched off.
 */
export async function switchOffAndNotify(
  tx: Transaction<DB>,
  ids: Ids,
  verdicts: readonly EndpointVerdict[],
): Promise<{ endpointId: string; reason: string }[]> {
  if (verdicts.length === 0) return []
  notifyAfterCommit(tx, 'notices')
  const inOrder = verdicts.toSorted((a, b) => (a.endpoint.id < b.endpoint.id ? -1 : 1))
  const { rows } = await sql<{ endpointId: string; reason: string }>`
    with verdict as materialized (
      select * from unnest(
        ${inOrder.map(() => ids.uuid())}::uuid[], ${inOrder.map((row) => row.kind)}::text[],
        ${inOrder.map((row) => row.endpoint.id)}::uuid[],
        ${inOrder.map((row) => row.endpoint.companyId)}::uuid[],
        ${inOrder.map((row) => row.endpoint.accountId)}::uuid[],
        ${inOrder.map((row) => row.reason)}::text[], ${inOrder.map(detailsOf)}::text[],
        ${inOrder.map((row) => row.at)}::timestamptz[]
      ) as t (notice_id, kind, endpoint_id, company_id, account_id, reason, details, at)
    ), locked as materialized (
      select id, is_on from endpoint
      where id = any(array(select endpoint_id from verdict)) and is_on and deleted_at is null
      order by id for update
    ), off as (
      update endpoint set is_on = false, off_reason = verdict.reason, off_at = verdict.at,
        updated_at = greatest(updated_at, verdict.at)
      from verdict, locked
      where verdict.kind = 'endpoint_switched_off' and locked.id = verdict.endpoint_id
        and endpoint.id = verdict.endpoint_id
      returning endpoint.id as endpoint_id, verdict.reason
    ), notified as (
      insert into notice (id, account_id, company_id, kind, subject_id, details, created_at,
        mail_due_at)
      select notice_id, account_id, company_id, kind, endpoint_id, details, at, at
      from verdict where exists (select from locked where locked.id = verdict.endpoint_id)
    )
    select endpoint_id, reason from off
  `.execute(tx)
  return rows
}

function detailsOf({ endpoint, reason, health, lastStatus, lastError }: EndpointVerdict): string {
  return JSON.stringify({
    endpointId: endpoint.id,
    endpointName: endpoint.name,
    reason,
    lastStatus,
    lastError,
    failuresInRow: health.failuresInRow,
    failingSince: health.failingSince?.toISOString() ?? null,
  })
}
