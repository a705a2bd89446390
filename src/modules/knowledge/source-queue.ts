import { sql } from 'kysely'
import type { Queue } from '../../infra/database/queues/queue.ts'
import { KNOWLEDGE_ENGINE } from '../../core/limits/knowledge.ts'
import type { SourceKind } from '../../core/vocabulary/knowledge.ts'

/** A source that this process has claimed, to read it. */
export type ClaimedSource = {
  id: string
  accountId: string
  companyId: string
  kind: SourceKind
  title: string
  url: string | null
  mediaType: string | null
  revision: number
  chunkCount: number
  attempt: number
  claimId: string
}

/** The queue of knowledge sources to read. One source of an account is read at a time. */
export const SOURCE_QUEUE: Queue<ClaimedSource> = {
  name: 'sources of knowledge',
  table: 'knowledge_source',
  due: 'due_at',
  leaseMs: KNOWLEDGE_ENGINE.leaseMs,
  waits: sql`due_at is not null`,
  byTime: {},
  maxConcurrentPerAccount: 1,
  onClaim: sql`state = 'reading', attempt = least(attempt + 1, 1000)`,
  columns: sql`id, company_id, kind, title, url, media_type, revision, chunk_count, attempt, claim_id`,
}
