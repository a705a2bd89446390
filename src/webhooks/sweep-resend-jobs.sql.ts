import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { LIVE_LIMITS, RETENTION } from '../limits.ts'
import { sweepChanges } from './live-changes.sql.ts'

/**
 * Deletes jobs of resends 30 days after they ended, as the deliveries they made go from the log.
 * Spec: Retention › What is kept.
 */
export async function deleteOldResendJobs(
  db: Kysely<DB>,
  now: Date,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from resend_job
      where ended_at < ${new Date(now.getTime() - RETENTION.deliveryLogMs)}
      order by ended_at limit ${most} for update skip locked
    )
    delete from resend_job using picked where resend_job.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** What a node left that was killed while somebody watched: nobody keeps changes without a watcher. */
export async function deleteOldChanges(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  return sweepChanges(db, { now, keptMs: LIVE_LIMITS.keptMs, most })
}
