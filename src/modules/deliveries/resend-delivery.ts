import { DAY_MS } from '../../core/limits/units.ts'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { viewDelivery } from './list-deliveries.ts'
import { requireLiveEndpoint } from '../endpoints/require-endpoint.ts'
import { searchDeliveries } from './search-deliveries.sql.ts'
import { consumeRateLimit } from '../accounts/consume-rate-limit.sql.ts'

/**
 * Resends a delivery of the log: creates a delivery of the same event and body bytes, with the full retry schedule.
 * Signatures are made at its attempts. Not idempotent: two requests create two deliveries.
 *
 * @throws not_found; not_in_plan; conflict for a test, for a deleted or switched-off endpoint and for events older
 * than 30 days; rate_limited.
 * Spec: Deliveries › Tests and resends; reading D13.
 */
export async function resendDelivery(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, deliveryId }: { companyId: string; deliveryId: string },
): Promise<DeliveryView> {
  const resendId = ids.uuid()
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const source = await tx
      .selectFrom('webhookDelivery')
      .select(['id', 'endpointId', 'eventId', 'kind'])
      .where('id', '=', deliveryId)
      .where('companyId', '=', companyId)
      .executeTakeFirst()
    if (!source) throw new ServiceError('not_found', fact('no_such_delivery'))
    if (source.kind === 'test') {
      throw new ServiceError('conflict', fact('test_not_resent'))
    }
    await requireLiveEndpoint(tx, { companyId, endpointId: source.endpointId })
    if (source.eventId < oldestResendable(now)) throw tooOld()
    await consumeRateLimit(tx, { accountId: actor.accountId, what: 'tests_and_resends', now })
    if (!(await copyDelivery(tx, { sourceId: source.id, resendId, companyId, now }))) {
      throw tooOld()
    }
    await audit(
      'delivery.resent',
      { id: resendId, companyId },
      { resendOf: source.id, endpointId: source.endpointId },
    )
  })
  const { rows } = await searchDeliveries(db.kysely, { companyId, deliveryId: resendId, limit: 1 })
  return viewDelivery(rows[0]!)
}

/** Returns the lowest id of events that can still be resent, as a UUIDv7: those of the last 30 days. */
export function oldestResendable(now: Date): string {
  return oldestIdAt(new Date(now.getTime() - RETENTION.deliveryLogMs))
}

function tooOld(): ServiceError {
  return new ServiceError(
    'conflict',
    fact('event_too_old', { days: RETENTION.deliveryLogMs / DAY_MS }),
  )
}

/** Inserts the resend with a copy of the body. Returns whether the event and its body still exist. */
async function copyDelivery(
  tx: Transaction<DB>,
  copy: { sourceId: string; resendId: string; companyId: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with source as (
      select delivery.id, delivery.endpoint_id, delivery.event_id, delivery.api_version, body.body
      from webhook_delivery delivery
        cross join lateral (select from event where event.id = delivery.event_id for key share) event
        cross join lateral (
          select body from event_body
          where event_body.id = delivery.body_id and event_body.api_version = delivery.api_version
          limit 1
        ) body
      where delivery.id = ${copy.sourceId} and delivery.company_id = ${copy.companyId}
    ), copied as (
      insert into event_body (id, api_version, body)
      select ${copy.resendId}, api_version, body from source
    ), queued as (
      insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at)
      select ${copy.resendId}, ${copy.companyId}, endpoint_id, 'resend', 'retry', ${copy.now}::timestamptz
      from source
    )
    insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version, kind,
      resend_of, state, created_at)
    select ${copy.resendId}, ${copy.companyId}, endpoint_id, event_id, ${copy.resendId}, api_version,
      'resend', id, 'pending', ${copy.now}
    from source
  `.execute(tx)
  notifyAfterCommit(tx, 'deliveries')
  return Number(numAffectedRows ?? 0) === 1
}
