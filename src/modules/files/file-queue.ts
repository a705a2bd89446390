import { sql } from 'kysely'
import type { Queue } from '../../infra/database/queues/queue.ts'
import { FILE_ENGINE } from '../../core/limits/files.ts'

/** A file that a process has claimed, to fetch or to delete it. */
export type ClaimedFile = {
  id: string
  accountId: string
  companyId: string
  /** The channel whose provider has the file; null for a file to delete. */
  channelId: string | null
  /** The adapter's reference to the file, as JSON text. */
  providerMedia: string | null
  state: 'awaited' | 'dropped'
  attempt: number
  claimId: string
}

/**
 * The queue of files to fetch or to delete. An upload, also a visitor's, is due if no message used it in time, or if its
 * bytes did not arrive; the claim then drops it. The claim skips a file that a transaction locks for a message; after its
 * commit the file is no longer due.
 */
export const FILE_QUEUE: Queue<ClaimedFile> = {
  name: 'files',
  table: 'file',
  due: 'due_at',
  leaseMs: FILE_ENGINE.leaseMs,
  waits: sql`due_at is not null`,
  byCompany: { companiesPerClaim: FILE_ENGINE.companiesPerClaim },
  maxConcurrentPerAccount: FILE_ENGINE.maxConcurrentPerAccount,
  onClaim: sql`state = case when purpose = 'received' and state <> 'kept' then state else 'dropped' end`,
  columns: sql`id, company_id, channel_id, provider_media, state, attempt, claim_id`,
}
