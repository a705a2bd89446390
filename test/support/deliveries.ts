/** Deliveries of a shop, made and looked at: for tests of the engine. */
import { FIRST_ID } from '../../src/infra/database/queues/queue.ts'
import { sql } from 'kysely'
import { transaction } from '../../src/infra/database/transaction.ts'
import type {
  ClaimedDelivery,
  DeliveryQueue,
} from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import {
  claimDeliveries,
  DELIVERY_QUEUES,
} from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { createEndpoint } from '../../src/modules/endpoints/create-endpoint.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { raiseEvent, type EventToRaise } from '../../src/modules/events/raise-event.ts'
import type { RecordedAttempt } from '../../src/modules/deliveries/recorded-attempt.ts'
import type { AttemptError } from '../../src/core/vocabulary/deliveries.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import type { ReceivedDelivery } from './receiver.ts'
import { putHealth } from './records/endpoints.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'

type About = Partial<Pick<EventToRaise, 'occurredAt' | 'conversationId' | 'contactId' | 'runId'>>

/**
 * Raises pings, each in a separate transaction: one delivery for each endpoint of the shop. `about` holds the
 * ids by which the log finds them.
 */
export async function raisePings(
  world: World,
  shop: Pick<Shop, 'companyId'>,
  count = 1,
  { message = 'hello', ...about }: { message?: string } & About = {},
): Promise<void> {
  const { db, ids, clock } = world.service.context
  for (let nth = 0; nth < count; nth += 1) {
    const now = clock.now()
    const company = { id: shop.companyId, name: 'Shop' }
    const ping = { type: 'ping', company, data: { message }, occurredAt: now, ...about } as const
    await transaction(db, (tx) => raiseEvent(tx, { ids, now }, ping))
  }
}

/** Makes deliveries whose attempts have all failed. */
export async function giveUp(world: World, shop: Shop, count: number): Promise<void> {
  world.receiver.answerWith(503)
  await raisePings(world, shop, count)
  await world.service.processAll()
  for (const delayMs of DELIVERY_LIMITS.retryDelaysMs) {
    world.clock.advance(delayMs + 1)
    // The endpoint would otherwise be switched off after three days of failures, before the last attempt.
    await putHealth(world, shop, { failingSince: world.clock.now() })
    await world.service.processAll()
  }
}

/** Adds an endpoint to the shop for every type of event, at the world's receiver or another URL. */
export async function openEndpoint(
  world: World,
  { companyId }: Pick<Shop, 'companyId'>,
  url = world.receiver.url,
): Promise<{ endpointId: string; secret: string }> {
  const { db, ids, clock } = world.service.context
  const { keyRing } = world.service
  const input = { companyId, name: 'Another', url, eventTypes: EVENT_TYPES }
  return transaction(db, (tx) => createEndpoint(tx, { ids, keyRing, now: clock.now() }, input))
}

/** Adds the same endpoint, and returns only its id. */
export const addEndpoint = async (
  world: World,
  shop: Pick<Shop, 'companyId'>,
  url?: string,
): Promise<string> => (await openEndpoint(world, shop, url)).endpointId

/** Returns the attempts of a delivery that the receiver got, in their order. */
export const sentAs = (world: Pick<World, 'receiver'>, deliveryId: string): ReceivedDelivery[] =>
  world.receiver.received.filter(({ headers }) => headers['x-service-delivery'] === deliveryId)

/** Claims deliveries as a worker with these numbers of free slots in each queue does. */
export async function claim(
  world: World,
  free: Partial<Record<DeliveryQueue, number>>,
): Promise<ClaimedDelivery[]> {
  const { db, ids, clock } = world.service.context
  const { deliveries } = await claimDeliveries(db.kysely, {
    claimId: ids.uuid(),
    now: clock.now(),
    queues: DELIVERY_QUEUES.map((queue) => ({ queue, free: free[queue] ?? 0, after: FIRST_ID })),
  })
  return deliveries
}

const TIMES = { durationMs: 10, dnsMs: null, connectMs: null, answerMs: 10 }
const ANSWER = { answerHeaders: null, answerHead: null, answerIsCut: null, headersAreCut: null }
const REQUEST = { number: 1, isBodyGone: false, url: 'https://merchant.example/' }
const ATTEMPT = {
  ...REQUEST,
  ...TIMES,
  ...ANSWER,
  errorDetail: null,
  remoteAddress: null,
  signedWith: ['abcd'],
}

type Claimed = Pick<ClaimedDelivery, 'id' | 'companyId' | 'endpointId' | 'claimId' | 'kind'>

/** Returns the outcome of an attempt at a claimed delivery. */
export function attemptOf(
  world: World,
  { id: deliveryId, companyId, endpointId, claimId, kind }: Claimed,
  error: AttemptError | null,
  endedAt = world.service.context.clock.now(),
): RecordedAttempt {
  return {
    ...ATTEMPT,
    attemptId: world.service.context.ids.uuid(),
    deliveryId,
    companyId,
    endpointId,
    claimId,
    isTest: kind === 'test',
    startedAt: endedAt,
    endedAt,
    httpStatus: error === 'gone' ? 410 : error === null ? 200 : 500,
    error,
  }
}

/**
 * Writes a copy of a delivery: a resend or a test of its event, due now, or more deliveries of other
 * events like it.
 */
export async function copyDelivery(
  world: World,
  deliveryId: string,
  kind: 'event' | 'resend' | 'test',
  count = 1,
): Promise<string[]> {
  const now = world.service.context.clock.now()
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version, kind,
        resend_of, state, created_at)
      select case when ${kind} = 'resend' then new_uuid_v7(${now}) else new_delivery_id(event_id) end,
        company_id, endpoint_id, event_id, body_id, api_version, ${kind},
        case when ${kind} = 'resend' then id end, 'pending', ${now}
      from webhook_delivery, generate_series(1, ${count}::int) where id = ${deliveryId}
      returning id, company_id, endpoint_id, kind
    )
    insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at)
    select id, company_id, endpoint_id, kind, 'later', ${now}::timestamptz from made
    returning id
  `.execute(world.database.db.kysely)
  return rows.map(({ id }) => id)
}
