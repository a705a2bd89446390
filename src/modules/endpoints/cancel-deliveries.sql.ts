import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'

/**
 * Cancels what waits for an endpoint that is being deleted, in the transaction of its deletion; it
 * stays in the log. Beyond 10,000 deliveries the rest follows from the engine in the seconds after. An
 * attempt under way ends by itself. Returns how many deliveries were cancelled.
 * Spec: reading D3.
 */
export async function cancelDeliveriesOf(
  tx: Transaction<DB>,
  { companyId, endpointId, now }: { companyId: string; endpointId: string; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with locked as materialized (
      select id from delivery_queue
      where lane in ('first', 'again', 'test', 'later', 'held') and endpoint_id = ${endpointId}
        and company_id = ${companyId} and claim_id is null
      limit ${DELIVERY_ENGINE.cancelledAtOnce} for update skip locked
    ), done as (
      delete from delivery_queue where id = any(array(select id from locked)) returning id
    )
    update webhook_delivery set state = 'cancelled', ended_at = ${now}
    where id = any(array(select id from done))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
