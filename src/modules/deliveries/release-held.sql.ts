import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Makes up to `limit` held deliveries of an endpoint due for a resend job, oldest first, and returns how many. Only
 * those older than the job (`beforeId`) become due. They enter the queue of retries, so that they do not delay live
 * events.
 *
 * Isolation: `skip locked` skips rows that another node cancels or expires at this moment.
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
    limit,
  }: {
    companyId: string
    endpointId: string
    jobId: string
    beforeId: string
    now: Date
    limit: number
  },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as materialized (
      select held.id from webhook_delivery held
        cross join lateral (
          select id from delivery_queue
          where delivery_queue.id = held.id and queue = 'held' for update skip locked) queued
      where held.endpoint_id = ${endpointId} and held.company_id = ${companyId}
        and held.odd_state = 'held' and held.id < ${beforeId}
      order by held.id limit ${limit}
    ), due as (
      update delivery_queue set queue = 'retry', due_at = ${now}
      where id = any(array(select id from picked))
    )
    update webhook_delivery set state = 'pending', job_id = ${jobId}
    where id = any(array(select id from picked))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
