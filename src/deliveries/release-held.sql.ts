import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'

/**
 * Lets held deliveries of an endpoint go, the oldest first, at most `most`: they are due now, in the
 * lane of retries, so that live events are not late by them. Only those that were made before the
 * job. Returns how many it let go.
 *
 * Isolation: `skip locked` passes by what another node cancels or expires at this moment.
 * Spec: reading D12.
 */
export async function releaseHeldDeliveries(
  tx: Transaction<DB>,
  {
    companyId,
    endpointId,
    jobId,
    beforeId,
    now,
    most,
  }: {
    companyId: string
    endpointId: string
    jobId: string
    beforeId: string
    now: Date
    most: number
  },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as materialized (
      select id from webhook_delivery
      where endpoint_id = ${endpointId} and company_id = ${companyId}
        and state = 'held' and state <> 'delivered' and claim_id is null and id < ${beforeId}
      order by id limit ${most} for update skip locked
    )
    update webhook_delivery
    set state = 'pending', due_at = ${now}, lane = 'again', job_id = ${jobId}
    where id = any(array(select id from picked))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
