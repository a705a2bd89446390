import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { RETENTION } from '../limits/retention.ts'

/**
 * Ends deliveries that have waited for 7 days, due or held: they are `expired`, and stay in the log.
 * At most `most` of them, the oldest first; returns how many.
 *
 * Isolation: a delivery that is being attempted has a claim and is left alone; `skip locked` passes
 * by the rows that another node claims, settles or sweeps at this moment.
 * Spec: Retention › What is kept.
 */
export async function expireDeliveries(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from webhook_delivery
      where state in ('pending', 'held') and claim_id is null
        and created_at < ${new Date(now.getTime() - RETENTION.waitingEventMs)}
      order by created_at limit ${most} for update skip locked
    )
    update webhook_delivery set state = 'expired', lane = null, due_at = null, ended_at = ${now}
    from picked where webhook_delivery.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
