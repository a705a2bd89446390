/** Webhook deliveries and their attempts. */
import {
  insert,
  newIdOf,
  nowOf,
  read,
  storeOf,
  update,
  type Company,
  type FieldsOf,
  type Recorded,
} from './records.ts'

/** Returns the deliveries of a company, oldest first, or those of one endpoint, event or state. */
export const deliveriesOf = (
  world: Recorded,
  { companyId }: Company,
  { endpointId, eventId, state }: { endpointId?: string; eventId?: string; state?: string } = {},
) => read(world, 'webhookDelivery', { companyId, endpointId, eventId, state }, 'id')

/** Returns the states of the same deliveries. */
export const deliveryStatesOf = async (world: Recorded, of: Company) =>
  (await deliveriesOf(world, of)).map(({ state }) => state)

/** Returns the attempts of a delivery, in their order. */
export const attemptsOf = (world: Recorded, deliveryId: string) =>
  read(world, 'deliveryAttempt', { deliveryId }, 'id')

/** Sets where deliveries are, without an attempt: for states that a crash leaves and no request reaches. */
export async function putDeliveries(
  world: Recorded,
  ids: readonly string[],
  state: Omit<FieldsOf<'webhookDelivery'>, 'id' | 'companyId'>,
): Promise<void> {
  await storeOf(world).updateTable('webhookDelivery').set(state).where('id', 'in', ids).execute()
}

/** Sets what the log says of the attempts of a delivery. */
export const putAttempts = (
  world: Recorded,
  deliveryId: string,
  said: FieldsOf<'deliveryAttempt'>,
) => update(world, 'deliveryAttempt', { deliveryId }, said)

/** Adds deliveries of one event without a body, in these states. Those that are pending are due in an hour. */
export async function addDeliveries(
  world: Recorded,
  { companyId, endpointId }: Company & { endpointId: string },
  states: readonly string[],
  more: Omit<FieldsOf<'webhookDelivery'>, 'state'> = {},
): Promise<string[]> {
  const now = nowOf(world)
  const eventId = newIdOf(world)
  await insert(world, 'event', { id: eventId, companyId, type: 'ping', occurredAt: now })
  const rows = states.map((state) => ({
    id: newIdOf(world),
    companyId,
    endpointId,
    eventId,
    bodyId: eventId,
    apiVersion: '2026-10',
    kind: 'event',
    state,
    dueAt: state === 'pending' ? new Date(now.getTime() + 3_600_000) : null,
    createdAt: now,
    ...(state !== 'pending' && state !== 'held' && { endedAt: now }),
    ...more,
  }))
  await insert(world, 'webhookDelivery', ...rows)
  return rows.map(({ id }) => id)
}
