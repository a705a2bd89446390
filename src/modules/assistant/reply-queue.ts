import { sql } from 'kysely'
import type { ClaimedJob, Queue } from '../../infra/database/queues/queue.ts'
import { REPLY_WORK } from '../../core/limits/replies.ts'

/** A reply that this process has claimed. */
export type ClaimedReply = ClaimedJob

/** The queue of the assistant's replies. */
export const REPLY_QUEUE: Queue<ClaimedReply> = {
  name: 'replies',
  table: 'assistant_reply',
  due: 'due_at',
  leaseMs: REPLY_WORK.leaseMs,
  waits: sql`state in ('gathering', 'thinking', 'sending')`,
  byCompany: { companiesPerClaim: REPLY_WORK.companiesPerClaim },
  columns: sql`id, company_id, conversation_id, claim_id`,
}
