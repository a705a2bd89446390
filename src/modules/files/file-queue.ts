import { sql } from 'kysely'
import type { Queue } from '../../infra/database/queues/queue.ts'
import { FILE_ENGINE } from '../../core/limits/files.ts'

/** A file that a process has in hand: to be fetched, or to be deleted. */
export type ClaimedFile = {
  id: string
  accountId: string
  companyId: string
  /** Where the provider has it; null of one that is to be deleted. */
  channelId: string | null
  /** JSON text: the adapter's words for where it is. */
  providerMedia: string | null
  state: 'awaited' | 'dropped'
  attempt: number
  claimId: string
}

/**
 * Files that are to be fetched, or to be deleted. An upload is due once nobody has taken it along in time, or its bytes
 * have not come: the claim drops it; so it does with what a visitor uploaded. A claim passes by a file that a message
 * is just taking along; once that is committed the file is not due.
 */
export const FILE_QUEUE: Queue<ClaimedFile> = {
  name: 'files',
  table: 'file',
  due: 'due_at',
  leaseMs: FILE_ENGINE.leaseMs,
  waits: sql`due_at is not null`,
  byCompany: { companiesPerClaim: FILE_ENGINE.companiesPerClaim },
  atOncePerAccount: FILE_ENGINE.atOncePerAccount,
  onClaim: sql`state = case when purpose = 'received' and state <> 'kept' then state else 'dropped' end`,
  columns: sql`id, company_id, channel_id, provider_media, state, attempt, claim_id`,
}
