import type { RunCall } from '../../../contract/dashboard/run.ts'
import type { Database } from '../../../infra/database/connect.ts'
import { createBatcherPerDatabase } from '../../../infra/database/batcher.ts'
import { leaseEnd } from '../../../infra/database/queues/queue.ts'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'

type Attempt = {
  runId: string
  claimId: string
  /** The number of the step in the run's history. */
  number: number
  /** The call so far, including this attempt. */
  call: RunCall
  now: Date
  /** States whether the result of an earlier try to record it was lost; nothing has been sent since. */
  isAgain: boolean
}

/**
 * Records that a request of a step's call is about to be sent, with its target, and renews the run's lease
 * (write-ahead). Returns false when the run has lost its claim or the attempt was started before; it must not be sent
 * then. With `isAgain` an attempt started under this claim is confirmed again. Attempts that start at the same time
 * share a statement.
 *
 * Isolation: the runs are locked first, in their order. If two workers execute one run, only the one with its claim
 * writes. Earlier attempts are compared, so that none is started twice.
 */
export const startCallAttempt = createBatcherPerDatabase<Pick<Database, 'pool'>, Attempt, boolean>({
  maxSize: CALL_LIMITS.inOneStatement,
  bisectOnError: true,
  run: startCallAttempts,
})

// The path is not stored again for a run that was cancelled, as its customer may be erased. The first array is in a
// subquery, so that the generic plan assumes an array of any length.
const START = `
  with ours as materialized (
    select input.*, run.is_over
    from (
      select * from unnest(
        (select $1::uuid[]), $2::uuid[], $3::int[], $4::int[], $5::text[], $6::timestamptz[], $7::boolean[]
      ) with ordinality as t (run_id, claim_id, step, attempt, call, lease_until, is_again, place)
      order by run_id
    ) input
    cross join lateral (
      select cancel_detail is not null as is_over from flow_run where id = input.run_id for update
    ) run
    cross join lateral (
      select from run_queue
      where id = input.run_id and claim_id is not distinct from input.claim_id for update
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
  attempts: readonly Attempt[],
): Promise<boolean[]> {
  const { rows } = await pool.query<{ place: number }>(START, [
    attempts.map((attempt) => attempt.runId),
    attempts.map((attempt) => attempt.claimId),
    attempts.map((attempt) => attempt.number),
    attempts.map(({ call }) => call.attempts),
    attempts.map(({ call }) => JSON.stringify(call)),
    attempts.map((attempt) => leaseEnd(RUN_LIMITS, attempt.now)),
    attempts.map(({ isAgain }) => isAgain),
  ])
  const started = new Set(rows.map(({ place }) => place))
  return attempts.map((_, index) => started.has(index + 1))
}
