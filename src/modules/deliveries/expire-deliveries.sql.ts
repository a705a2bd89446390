import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { RETENTION } from '../../core/limits/retention.ts'

/**
 * Expires deliveries that have waited for 7 days, due or held; they stay in the log. Handles at most `limit` of them,
 * oldest first, and returns how many.
 *
 * Isolation: a delivery that is being attempted has a claim and is left alone. `skip locked` skips rows that another
 * node claims, records or sweeps at this moment.
 * Spec: Retention › Retention periods.
 */
export async function expireDeliveries(db: Kysely<DB>, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from delivery_queue
      where id < ${oldestIdAt(new Date(now.getTime() - RETENTION.waitingEventMs))}
        and claim_id is null
      order by id limit ${limit} for update skip locked
    ), done as (
      delete from delivery_queue where id = any(array(select id from picked)) returning id
    )
    update webhook_delivery set state = 'expired', ended_at = ${now}
    where id = any(array(select id from done))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
