import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { RUN_LIMITS } from '../limits.ts'

/**
 * Writes down that a request of a step's call is about to go out, and begins the run's lease anew.
 * False when the run is no longer this worker's, or this attempt was begun before: it must not go out.
 *
 * Isolation: the run's row is locked first, so of two workers that each believe the run theirs only
 * the one whose claim it carries writes; the attempts before are compared, so that none is begun twice.
 */
export async function startCallAttempt(
  db: Kysely<DB>,
  at: { runId: string; claimId: string; number: number; attempt: number; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with ours as (
      update flow_run set claimed_until = ${new Date(at.now.getTime() + RUN_LIMITS.leaseMs)}
      where id = ${at.runId} and claim_id = ${at.claimId}
      returning id
    )
    update flow_run_step set call_attempts = ${at.attempt}::int
    from ours
    where flow_run_step.run_id = ours.id and flow_run_step.number = ${at.number}::int
      and flow_run_step.status = 'started' and flow_run_step.call_attempts = ${at.attempt}::int - 1
  `.execute(db)
  return numAffectedRows === 1n
}
