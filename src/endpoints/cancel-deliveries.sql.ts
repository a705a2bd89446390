import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { DELIVERY_ENGINE } from '../limits/deliveries.ts'

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
      select id from webhook_delivery
      where endpoint_id = ${endpointId} and company_id = ${companyId}
        and state in ('pending', 'held') and claim_id is null
      limit ${DELIVERY_ENGINE.cancelledAtOnce} for update skip locked
    )
    update webhook_delivery
    set state = 'cancelled', lane = null, due_at = null, ended_at = ${now}
    where id = any(array(select id from locked))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
