import { sql } from 'kysely'
import type { ClaimedJob, Queue } from '../../../infra/database/queues/queue.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'

/** A run that this process has claimed. */
export type ClaimedRun = ClaimedJob

/**
 * The queue of runs: new ones round-robin by company, and the oldest of those that were answered, timed out or lost
 * their process.
 */
export const RUN_QUEUE: Queue<ClaimedRun> = {
  name: 'runs',
  table: 'run_queue',
  due: 'due_at',
  leaseMs: RUN_LIMITS.leaseMs,
  waits: sql`true`,
  byCompany: { companiesPerClaim: RUN_LIMITS.companiesPerClaim, waits: sql`is_new` },
  byTime: { limit: RUN_LIMITS.wokenLookedAt, waits: sql`not is_new` },
  columns: sql`id, company_id, claim_id`,
  joined: {
    columns: sql`run.conversation_id`,
    joins: sql`cross join lateral (select conversation_id from flow_run
      where flow_run.id = claimed.id limit 1) run`,
  },
}
