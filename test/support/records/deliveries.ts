/** Webhook deliveries and their attempts. */
import { given, storeOf, type Recorded, type RecordOf } from './records.ts'

export type DeliveryRecord = RecordOf<'webhookDelivery'>

/** Returns the deliveries of a company, oldest first, or those of one endpoint, event or state. */
export const deliveriesOf = (
  world: Recorded,
  { companyId }: { companyId: string },
  { endpointId, eventId, state }: { endpointId?: string; eventId?: string; state?: string } = {},
): Promise<DeliveryRecord[]> =>
  storeOf(world)
    .selectFrom('webhookDelivery')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, endpointId, eventId, state })))
    .orderBy('id')
    .execute()

/** Returns the attempts of a delivery, in their order. */
export const attemptsOf = (world: Recorded, deliveryId: string) =>
  storeOf(world)
    .selectFrom('deliveryAttempt')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .orderBy('id')
    .execute()
