import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { RETENTION } from '../../core/limits/retention.ts'

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
      select id from delivery_queue
      where id < ${oldestIdAt(new Date(now.getTime() - RETENTION.waitingEventMs))}
        and claim_id is null
      order by id limit ${most} for update skip locked
    ), done as (
      delete from delivery_queue where id = any(array(select id from picked)) returning id
    )
    update webhook_delivery set state = 'expired', ended_at = ${now}
    where id = any(array(select id from done))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
