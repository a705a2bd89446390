/** Webhook deliveries and their attempts. */
import { given, storeOf, type Recorded, type RecordOf } from './records.ts'

export type DeliveryRecord = RecordOf<'webhookDelivery'>

type Of = { companyId?: string; endpointId?: string; eventId?: string; state?: string }

/** Returns the deliveries of a company, endpoint or event, oldest first. */
export const deliveriesOf = (
  world: Recorded,
  { companyId, endpointId, eventId, state }: Of,
): Promise<DeliveryRecord[]> =>
  storeOf(world)
    .selectFrom('webhookDelivery')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, endpointId, eventId, state })))
    .orderBy('id')
    .execute()

export const deliveryOf = (world: Recorded, id: string): Promise<DeliveryRecord> =>
  storeOf(world)
    .selectFrom('webhookDelivery')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Returns the attempts of a delivery, in their order. */
export const attemptsOf = (world: Recorded, deliveryId: string) =>
  storeOf(world)
    .selectFrom('deliveryAttempt')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .orderBy('id')
    .execute()

/** Sets where a delivery is, without an attempt. */
export async function putDelivery(
  world: Recorded,
  id: string,
  state: Partial<
    Pick<
      DeliveryRecord,
      'state' | 'lane' | 'dueAt' | 'endedAt' | 'attempts' | 'claimId' | 'claimedUntil' | 'lastError'
    >
  >,
): Promise<void> {
  await storeOf(world).updateTable('webhookDelivery').set(state).where('id', '=', id).execute()
}
