import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { RecordedAttempt } from './recorded-attempt.ts'

/** A locked delivery with the health of its endpoint before its attempt. */
export type LockedDelivery = {
  deliveryId: string
  endpointId: string
  eventId: string
  kind: 'event' | 'resend' | 'test'
  failuresInRow: number
  failingSince: Date | null
  warnedAt: Date | null
  slots: number
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/** An endpoint as it is after its health was locked. */
export type EndpointNow = {
  id: string
  companyId: string
  accountId: string
  name: string
  isOn: boolean
  isDeleted: boolean
}

/**
 * Locks the deliveries that still have the claim of their attempt, in id order, and then the health of their endpoints,
 * in id order. Returns them; an attempt without a result is stale.
 */
export async function lockSettled(
  tx: Transaction<DB>,
  attempts: readonly RecordedAttempt[],
): Promise<LockedDelivery[]> {
  const { rows } = await sql<LockedDelivery>`
    with settled as materialized (
      select * from unnest(${attempts.map((row) => row.deliveryId)}::uuid[],
        ${attempts.map((row) => row.claimId)}::uuid[]) as t (delivery_id, claim_id)
      order by delivery_id
    ), held as materialized (
      select queued.*, delivery.event_id from settled
        cross join lateral (
          select id, endpoint_id, kind from delivery_queue
          where id = settled.delivery_id and claim_id is not distinct from settled.claim_id
          for update) queued
        cross join lateral (
          select event_id from webhook_delivery
          where id = queued.id and ${isBetween(attempts.map((row) => row.deliveryId))} limit 1) delivery
    ), health as materialized (
      select * from endpoint_health
      where endpoint_id = any(array(select distinct endpoint_id from held))
      order by endpoint_id for update
    )
    select held.id as delivery_id, held.event_id, held.kind, health.endpoint_id,
      health.failures_in_row, health.failing_since, health.warned_at, health.slots,
      health.last_success_at, health.last_failure_at
    from held join health using (endpoint_id)
  `.execute(tx)
  return rows
}

/** Returns the condition that an id is in the range of some ids, so that no other partition is planned. */
export function isBetween(ids: readonly string[]): RawBuilder<unknown> {
  const inOrder = ids.toSorted()
  return sql`id between ${inOrder[0]}::uuid and ${inOrder.at(-1)}::uuid`
}

/** The current endpoints of failed attempts, by id, and which of their deliveries a resend has replaced. */
export type EndpointsNow = {
  endpoints: Map<string, EndpointNow>
  /** Failed deliveries whose event a resend has delivered to the same endpoint. */
  resentIds: Set<string>
}

/**
 * Loads the endpoints whose attempts failed, and which of these deliveries a resend has replaced. Call it after their
 * health is locked, so that no other worker switches one off by the rule at the same time. Runs no query for a batch of
 * successes.
 */
export async function readEndpoints(
  tx: Transaction<DB>,
  attempts: readonly RecordedAttempt[],
  locked: readonly LockedDelivery[],
): Promise<EndpointsNow> {
  const failedIds = new Set(
    attempts.filter(({ error }) => error !== null).map(({ deliveryId }) => deliveryId),
  )
  const failed = locked.filter(({ deliveryId }) => failedIds.has(deliveryId))
  if (failed.length === 0) return { endpoints: new Map(), resentIds: new Set() }
  const { rows } = await sql<EndpointNow & { resentIds: string[] | null }>`
    with failed as materialized (
      select * from unnest(${failed.map((row) => row.deliveryId)}::uuid[],
        ${failed.map((row) => row.endpointId)}::uuid[], ${failed.map((row) => row.eventId)}::uuid[],
        ${failed.map((row) => row.kind === 'event')}::boolean[])
        as t (delivery_id, endpoint_id, event_id, is_automatic)
    )
    select endpoint.id, endpoint.company_id, company.account_id, endpoint.name, endpoint.is_on,
      endpoint.deleted_at is not null as is_deleted,
      (select array_agg(delivery_id) from failed
        where failed.endpoint_id = endpoint.id and is_automatic and exists (
          select from webhook_delivery resend
          where resend.event_id = failed.event_id and resend.endpoint_id = failed.endpoint_id
            and resend.id > oldest_resend(failed.event_id) and resend.kind = 'resend'
            and resend.state = 'delivered')) as resent_ids
    from endpoint join company on company.id = endpoint.company_id
    where endpoint.id = any(array(select distinct endpoint_id from failed))
  `.execute(tx)
  return {
    endpoints: new Map(rows.map((row) => [row.id, row])),
    resentIds: new Set(rows.flatMap((row) => row.resentIds ?? [])),
  }
}
