import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { DeliveryDetail, SendTest } from '../../contract/dashboard/delivery.ts'
import { versionSent, type EventVersion } from '../../contract/event-versions.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import { DELIVERY_ENGINE, LOG_LIMITS } from '../../core/limits/deliveries.ts'
import type { OutboundClient } from '../../infra/egress/outbound-client.ts'
import type { EventType } from '../../core/vocabulary/events.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import type { ClaimedDelivery } from './claim-deliveries.sql.ts'
import { deliveryIdOf, eventIdText } from '../events/event-id.ts'
import { fitBody } from '../events/fit-body.ts'
import { requireTestableEndpoint, type EndpointAndPlan } from '../endpoints/require-endpoint.ts'
import { sampleData } from '../events/sample-events.ts'
import { recordAttempts } from './record-attempts.sql.ts'
import { showDelivery } from './show-delivery.ts'
import { consumeRateLimit } from '../accounts/consume-rate-limit.sql.ts'

type Deps = Context & {
  outbound: OutboundClient
  keyRing: KeyRing
  formatFact: FormatFact
  finishBeforeStop(work: Promise<unknown>): void
}

/**
 * Posts a sample event to an endpoint, with `test` true, and waits up to 12 s for its only attempt;
 * after that the result shows it in progress. The endpoint may be off, and need not subscribe to the type. A test is
 * signed with the current secret, is never retried, and does not count for health.
 *
 * @throws not_found, not_in_plan, rate_limited.
 * Spec: Deliveries › Tests and resends; reading D14.
 */
export async function sendTestEvent(
  deps: Deps,
  actor: Actor,
  { companyId, endpointId, type }: SendTest & { companyId: string; endpointId: string },
): Promise<DeliveryDetail> {
  const claimed = await writeTest(deps, actor, { companyId, endpointId, type })
  const attempt = attemptDelivery(deps, claimed)
    .then((outcome) => recordAttempts(deps, [outcome]))
    // The delivery stays claimed; the queue ends it once its lease expires.
    .catch((error: unknown) => {
      deps.log.error(
        { err: error, deliveryId: claimed.id },
        'test not recorded: its lease has to expire',
      )
    })
  deps.finishBeforeStop(attempt)
  await atMost(LOG_LIMITS.testWaitMs, attempt)
  return showDelivery(deps, actor, { companyId, deliveryId: claimed.id })
}

/** Inserts the test as a delivery claimed by this request, so that no worker takes it. */
async function writeTest(
  { db, ids, clock }: Deps,
  actor: Actor,
  { companyId, endpointId, type }: { companyId: string; endpointId: string; type: EventType },
): Promise<ClaimedDelivery> {
  const [eventId, claimId] = [ids.uuid(), ids.uuid()]
  const deliveryId = deliveryIdOf(eventId, ids)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const endpoint = await requireTestableEndpoint(tx, { companyId, endpointId })
    await consumeRateLimit(tx, { accountId: actor.accountId, what: 'tests_and_resends', now })
    const sent = versionSent(endpoint.apiVersion)
    const body = sampleBody({ eventId, companyId, type, now, sent }, endpoint)
    const { rows } = await sql<Pick<ClaimedDelivery, 'secrets'>>`
      with happened as (
        insert into event (id, company_id, type, is_test, occurred_at)
        values (${eventId}, ${companyId}, ${type}, true, ${now})
      ), frozen as (
        insert into event_body (id, api_version, body)
        values (${eventId}, ${sent.version}, ${body})
      ), made as (
        insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
          kind, state, created_at)
        values (${deliveryId}, ${companyId}, ${endpointId}, ${eventId}, ${eventId},
          ${sent.version}, 'test', 'pending', ${now})
      ), queued as (
        insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at, claim_id,
          lease_expires_at)
        values (${deliveryId}, ${companyId}, ${endpointId}, 'test', 'test', ${now}, ${claimId},
          ${leaseEnd(DELIVERY_ENGINE, now)})
      )
      select coalesce(json_agg(json_build_object('id', id, 'secret', secret,
        'lastFour', last_four)), '[]') as secrets
      from endpoint_secret
      where endpoint_id = ${endpointId} and company_id = ${companyId} and signs_until is null
    `.execute(tx)
    await audit('endpoint.tested', { id: endpointId, companyId }, { type, deliveryId })
    return {
      id: deliveryId,
      accountId: actor.accountId,
      companyId,
      endpointId,
      eventId,
      eventType: type,
      apiVersion: sent.version,
      kind: 'test',
      queue: 'test',
      attempts: 0,
      dueAt: now,
      claimId,
      url: endpoint.url,
      body,
      secrets: rows[0]!.secrets,
    }
  })
}

function sampleBody(
  {
    sent,
    ...event
  }: { eventId: string; companyId: string; type: EventType; now: Date; sent: EventVersion },
  endpoint: EndpointAndPlan,
): Buffer {
  return fitBody({
    id: eventIdText(event.eventId),
    type: event.type,
    apiVersion: sent.version,
    createdAt: event.now.toISOString(),
    test: true,
    company: { id: event.companyId, name: endpoint.companyName },
    data: sent.shape(event.type, sampleData(event.type, event.now)),
  })
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late])
  clearTimeout(timer)
}
