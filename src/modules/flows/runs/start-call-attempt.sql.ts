import type { RunCall } from '../../../contract/dashboard/run.ts'
import type { Database } from '../../../infra/database/connect.ts'
import { createBatcherPerDatabase } from '../../../infra/database/batcher.ts'
import { leaseEnd } from '../../../infra/database/queues/queue.ts'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'

type Attempt = {
  runId: string
  claimId: string
  /** Of the step in the run's history. */
  number: number
  /** What is known of it so far, this attempt counted. */
  call: RunCall
  now: Date
  /** The answer of the try before was lost, and nothing has been sent since. */
  isAgain: boolean
}

/**
 * Writes down that a request of a step's call is about to go out, and where, and begins the run's
 * lease anew.
 * False when the run is no longer this worker's, or this attempt was begun before: it must not go out. Where the answer
 * of this statement was lost it is asked again: what stands begun under the claim was begun by the try before.
 * Attempts that begin at the same time share a statement.
 *
 * Isolation: the runs' rows are locked first, in their order, so of two workers that each believe a
 * run theirs only the one whose claim it carries writes; the attempts before are compared, so that
 * none is begun twice.
 */
export const startCallAttempt = createBatcherPerDatabase<Pick<Database, 'pool'>, Attempt, boolean>({
  most: CALL_LIMITS.inOneStatement,
  isHalved: true,
  run: startCallAttempts,
})

// Of a run that was cancelled meanwhile the path is not written again: its customer may be erased.
// Hidden in a query of its own, the first array is planned for as one of any length, once for all.
const START = `
  with ours as materialized (
    select asked.*, run.is_over
    from (
      select * from unnest(
        (select $1::uuid[]), $2::uuid[], $3::int[], $4::int[], $5::text[], $6::timestamptz[], $7::boolean[]
      ) with ordinality as t (run_id, claim_id, step, attempt, call, lease_until, is_again, place)
      order by run_id
    ) asked
    cross join lateral (
      select cancel_detail is not null as is_over from flow_run where id = asked.run_id for update
    ) run
    cross join lateral (
      select from run_queue
      where id = asked.run_id and claim_id is not distinct from asked.claim_id for update
    ) queued
  ), leased as (
    update run_queue set lease_expires_at = ours.lease_until
    from ours where run_queue.id = ours.run_id and run_queue.id = any(array(select run_id from ours))
  )
  update flow_run_step set call_attempts = ours.attempt,
    call = case when ours.is_over then (ours.call::jsonb || '{"path": ""}')::text else ours.call end
  from ours
  where flow_run_step.run_id = ours.run_id and flow_run_step.number = ours.step
    and flow_run_step.status = 'started'
    and (flow_run_step.call_attempts = ours.attempt - 1
      or (ours.is_again and flow_run_step.call_attempts = ours.attempt))
  returning ours.place::int`

async function startCallAttempts(
  { pool }: Pick<Database, 'pool'>,
  asked: readonly Attempt[],
): Promise<boolean[]> {
  const { rows } = await pool.query<{ place: number }>(START, [
    asked.map((one) => one.runId),
    asked.map((one) => one.claimId),
    asked.map((one) => one.number),
    asked.map(({ call }) => call.attempts),
    asked.map(({ call }) => JSON.stringify(call)),
    asked.map((one) => leaseEnd(RUN_LIMITS, one.now)),
    asked.map(({ isAgain }) => isAgain),
  ])
  const started = new Set(rows.map(({ place }) => place))
  return asked.map((_, index) => started.has(index + 1))
}
