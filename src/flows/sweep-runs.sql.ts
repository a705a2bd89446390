import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { RETENTION } from '../limits.ts'

/**
 * Deletes runs, with the values they collected, their replies and steps, 90 days after they ended.
 * Their idempotency keys are unused again; messages stay in the conversation and name no run. At most
 * `most`, those that ended first; returns how many.
 *
 * Isolation: an ended run changes no more, so nothing but another sweep wants its lock; `skip locked`
 * gives two nodes different runs. Run before message is the order of locks everywhere.
 * Spec: Retention › What is kept; Hooks › Idempotency.
 */
export async function deleteOldRuns(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from flow_run
      where ended_at < ${new Date(now.getTime() - RETENTION.runMs)}
      order by ended_at limit ${most} for update skip locked
    )
    delete from flow_run using picked where flow_run.id = picked.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes steps from the history of ended runs 30 days after they were taken; a run that is still at
 * work keeps all of its own. At most `most`, the oldest first; returns how many.
 *
 * Isolation: `skip locked` gives two nodes different steps.
 * Spec: Retention › What is kept.
 */
export async function deleteOldSteps(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select step.run_id, step.number
      from flow_run_step step join flow_run on flow_run.id = step.run_id
      where step.started_at < ${new Date(now.getTime() - RETENTION.runStepMs)}
        and flow_run.ended_at is not null
      order by step.started_at limit ${most} for update of step skip locked
    )
    delete from flow_run_step using picked
    where flow_run_step.run_id = picked.run_id and flow_run_step.number = picked.number
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
