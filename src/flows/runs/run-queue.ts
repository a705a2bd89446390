import { sql } from 'kysely'
import type { Queue } from '../../database/queues/queue.ts'
import { RUN_LIMITS } from '../../limits/flows.ts'

export type ClaimedRun = {
  id: string
  accountId: string
  companyId: string
  conversationId: string
  claimId: string
}

/**
 * Runs that are to be taken on: the queued ones, company by company, and of those that were answered, whose wait has
 * timed out or whose process died, the oldest.
 */
export const RUN_QUEUE: Queue<ClaimedRun> = {
  name: 'runs',
  table: 'flow_run',
  due: 'wake_at',
  leaseMs: RUN_LIMITS.leaseMs,
  waits: sql`status in ('queued', 'running', 'waiting')`,
  byCompany: { companiesPerClaim: RUN_LIMITS.companiesPerClaim, waits: sql`status = 'queued'` },
  byTime: { most: RUN_LIMITS.wokenLookedAt, waits: sql`status in ('running', 'waiting')` },
  columns: sql`id, company_id, conversation_id, claim_id`,
}
