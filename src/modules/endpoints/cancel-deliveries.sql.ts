import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { DELIVERY_ENGINE } from '../../core/limits/deliveries.ts'

/**
 * Cancels up to 10,000 waiting deliveries of an endpoint that is being deleted; a worker cancels the rest within
 * seconds. They stay in the log. The outcome of an attempt in flight ends its delivery.
 * Spec: reading D3.
 */
export async function cancelDeliveriesOf(
  tx: Transaction<DB>,
  { companyId, endpointId, now }: { companyId: string; endpointId: string; now: Date },
): Promise<void> {
  await sql`
    with locked as materialized (
      select id from delivery_queue
      where queue in ('first', 'retry', 'test', 'later', 'held') and endpoint_id = ${endpointId}
        and company_id = ${companyId} and claim_id is null
      limit ${DELIVERY_ENGINE.cancelledPerBatch} for update skip locked
    ), done as (
      delete from delivery_queue where id = any(array(select id from locked)) returning id
    )
    update webhook_delivery set state = 'cancelled', ended_at = ${now}
    where id = any(array(select id from done))
  `.execute(tx)
}
