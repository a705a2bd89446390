/** Webhook deliveries and their attempts. */
import { sql } from 'kysely'
import { createPartitionsOfDay } from '../../../src/infra/database/missing-partition.ts'
import { deliveryIdOf } from '../../../src/modules/events/event-id.ts'
import type { Company, FieldsOf, RecordOf, Recorded } from './records.ts'
import { insert, newIdOf, nowOf, read, storeOf, update } from './records.ts'

type InQueue = {
  [Name in 'dueAt' | 'queue' | 'claimId' | 'leaseExpiresAt']?:
    | FieldsOf<'deliveryQueue'>[Name]
    | null
    | undefined
}
/** The columns of a delivery that a test sets: those of the log, and those of its queue. */
type Put = Omit<FieldsOf<'webhookDelivery'>, 'id' | 'companyId'> & InQueue

/**
 * Returns the deliveries of a company, oldest first, or those of one endpoint, event or state; each with its
 * row in the queue.
 */
export async function deliveriesOf(
  world: Recorded,
  { companyId }: Company,
  { endpointId, eventId, state }: { endpointId?: string; eventId?: string; state?: string } = {},
) {
  const which = { companyId, endpointId, eventId, state }
  const waiting = await read(world, 'deliveryQueue', { companyId, endpointId })
  const byId = new Map(waiting.map((row) => [row.id, row]))
  return (await read(world, 'webhookDelivery', which, 'id')).map((delivery) => {
    const { dueAt, queue, claimId, leaseExpiresAt } = { ...NOT_WAITING, ...byId.get(delivery.id) }
    return { ...delivery, dueAt, queue, claimId, leaseExpiresAt }
  })
}

const NOT_WAITING: Pick<RecordOf<'deliveryQueue'>, 'dueAt' | 'claimId' | 'leaseExpiresAt'> & {
  queue: string | null
} = { dueAt: null, queue: null, claimId: null, leaseExpiresAt: null }

/** Returns the states of the same deliveries. */
export const deliveryStatesOf = async (world: Recorded, of: Company) =>
  (await deliveriesOf(world, of)).map(({ state }) => state)

/** Returns the attempts of a delivery, in their order. */
export const attemptsOf = (world: Recorded, deliveryId: string) =>
  read(world, 'deliveryAttempt', { deliveryId }, 'id')

/**
 * Sets the state of deliveries without an attempt: for states that a crash leaves and no request reaches. A
 * delivery that becomes pending is due now.
 */
export async function putDeliveries(
  world: Recorded,
  ids: readonly string[],
  { dueAt, queue, claimId, leaseExpiresAt, ...log }: Put,
): Promise<void> {
  const store = storeOf(world)
  if (Object.keys(log).length > 0) {
    await store.updateTable('webhookDelivery').set(log).where('id', 'in', ids).execute()
  }
  if (log.state !== undefined) await queued(world, ids)
  const waits = { dueAt, queue, claimId, leaseExpiresAt }
  const said = Object.entries(waits).filter(([, value]) => value !== undefined && value !== null)
  const cleared = Object.entries(waits).filter(
    ([name, value]) => value === null && name.startsWith('claim'),
  )
  if (said.length + cleared.length === 0) return
  await store
    .updateTable('deliveryQueue')
    .set(Object.fromEntries([...said, ...cleared]))
    .where('id', 'in', ids)
    .where('queue', '<>', 'held')
    .execute()
}

/** Makes the queue follow the states of deliveries: pending and held ones have a row, others have none. */
async function queued(world: Recorded, ids: readonly string[]): Promise<void> {
  await sql`
    with ended as (
      delete from delivery_queue using webhook_delivery delivery
      where delivery.id = delivery_queue.id and delivery.id = any(${ids}::uuid[])
        and delivery.state not in ('pending', 'held')
    )
    insert into delivery_queue (id, company_id, endpoint_id, kind, queue, due_at)
    select id, company_id, endpoint_id, kind, case state when 'held' then 'held' else 'later' end,
      case state when 'pending' then ${nowOf(world)}::timestamptz end
    from webhook_delivery where id = any(${ids}::uuid[]) and state in ('pending', 'held')
    on conflict (id) do update
    set queue = case when (excluded.queue = 'held') = (delivery_queue.queue = 'held')
        then delivery_queue.queue else excluded.queue end,
      due_at = case when (excluded.queue = 'held') = (delivery_queue.queue = 'held')
        then delivery_queue.due_at else excluded.due_at end`.execute(storeOf(world))
}

/** Changes the logged columns of the attempts of a delivery. */
export const putAttempts = (
  world: Recorded,
  deliveryId: string,
  said: FieldsOf<'deliveryAttempt'>,
) => update(world, 'deliveryAttempt', { deliveryId }, said)

/** Logs the first attempt of a delivery this many more times. */
export async function repeatAttempts(
  world: Recorded,
  deliveryId: string,
  times: number,
): Promise<void> {
  const [first] = await attemptsOf(world, deliveryId)
  const rows = Array.from({ length: times }, () => ({ ...first!, id: newIdOf(world) }))
  await insert(world, 'deliveryAttempt', ...rows)
}

/** Adds deliveries of one event without a body, in these states. Pending deliveries are due in an hour. */
export async function addDeliveries(
  world: Recorded,
  { companyId, endpointId }: Company & { endpointId: string },
  states: readonly string[],
  more: Omit<Put, 'state'> = {},
): Promise<string[]> {
  const now = nowOf(world)
  const { dueAt, queue, claimId, leaseExpiresAt, ...log } = more
  const eventId = newIdOf(world)
  await createPartitionsOfDay(storeOf(world), now)
  await insert(world, 'event', { id: eventId, companyId, type: 'ping', occurredAt: now })
  const rows = states.map((state) => ({
    id:
      log.kind === 'resend'
        ? newIdOf(world)
        : deliveryIdOf(eventId, { uuid: () => newIdOf(world) }),
    companyId,
    endpointId,
    eventId,
    bodyId: eventId,
    apiVersion: '2026-10',
    kind: 'event',
    state,
    createdAt: now,
    ...(state !== 'pending' && state !== 'held' && { endedAt: now }),
    ...log,
  }))
  await insert(world, 'webhookDelivery', ...rows)
  const waits = {
    dueAt: dueAt ?? new Date(now.getTime() + 3_600_000),
    queue,
    claimId,
    leaseExpiresAt,
  }
  const ids = rows.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += 5_000) {
    const some = ids.slice(from, from + 5_000)
    await queued(world, some)
    await putDeliveries(world, some, waits)
  }
  return ids
}
