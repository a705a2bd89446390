import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { Database } from '../../infra/database/connect.ts'
import { settle } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { KNOWLEDGE_ENGINE, KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import { SOURCE_QUEUE, type ClaimedSource } from './source-queue.ts'
import type { PreparedSource } from './prepare-chunks.ts'
import { replaceChunks } from './index-chunks.ts'

/** The result of reading a source. */
type Read = {
  prepared: PreparedSource
  /** The title of the page itself. Null where a member has named it. */
  title: string | null
  fetched?: { bytes: Buffer; mediaType: string; sha256: Buffer }
  now: Date
}

/**
 * Replaces the searchable text of a claimed source by the text that was read. An expired claim changes nothing. Returns
 * null, or the reason for refusing the text when the company would have too many chunks.
 */
export async function settleRead(
  { db, ids }: Pick<Context, 'db' | 'ids'>,
  source: ClaimedSource,
  { prepared, title, fetched, now }: Read,
): Promise<Fact | null> {
  return transaction(db, async (tx) => {
    if (!(await isStillClaimed(tx, source))) return null
    const { id: sourceId, companyId, revision } = source
    await lockKnowledge(tx, companyId)
    const count = prepared.chunks.length
    const max = KNOWLEDGE_LIMITS.chunks
    const inAll = (await chunksOfOthers(tx, source)) + count
    if (inAll > max) return fact('chunks_full', { max, count: inAll })
    await replaceChunks(tx, { ids }, { companyId, sourceId, revision }, prepared)
    await tx
      .updateTable('knowledgeSource')
      .set({
        claimId: null,
        leaseExpiresAt: null,
        ...(fetched && {
          content: fetched.bytes,
          mediaType: fetched.mediaType,
          sha256: fetched.sha256,
          fetchedAt: now,
        }),
        ...(title !== null && source.kind === 'page' && { title: pageTitle(title) }),
        state: 'ready',
        error: null,
        attempt: 0,
        chunkCount: count,
        servedRevision: revision,
        dueAt: nextReading(source, now),
      })
      .where('id', '=', sourceId)
      .execute()
    return null
  })
}

/** Records that the page of a claimed source has not changed. */
export async function settleUnchanged(
  db: Database,
  source: ClaimedSource,
  now: Date,
): Promise<void> {
  const dueAt = nextReading(source, now)
  const read = sql`state = 'ready', error = null, attempt = 0, fetched_at = ${now}, due_at = ${dueAt}`
  await settle(db.kysely, SOURCE_QUEUE, source, read)
}

/** Records that a claimed source could not be read. Searches still find the previous text; a page is tried again. */
export async function settleFailed(
  db: Database,
  source: ClaimedSource,
  { why, now }: { why: Fact; now: Date },
): Promise<void> {
  const dueAt = source.kind === 'page' ? triedAgainAt(source.attempt, now) : null
  const failed = sql`state = 'failed', error = ${serializeFact(why)}, due_at = ${dueAt}`
  await settle(db.kysely, SOURCE_QUEUE, source, failed)
}

/** Locks a source and returns whether this process still has its claim. */
async function isStillClaimed(
  tx: Transaction<DB>,
  { id, claimId }: ClaimedSource,
): Promise<boolean> {
  const row = await tx
    .selectFrom('knowledgeSource')
    .select('id')
    .where('id', '=', id)
    .where('claimId', '=', claimId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes the company's advisory lock, after that of the source: two concurrent sources of a company would each count
 * chunks without the other.
 */
async function lockKnowledge(tx: Transaction<DB>, companyId: string): Promise<void> {
  const name = `knowledge of ${companyId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

async function chunksOfOthers(tx: Transaction<DB>, source: ClaimedSource): Promise<number> {
  const { rows } = await sql<{ chunks: number }>`
    select coalesce(sum(chunk_count), 0)::int as chunks from knowledge_source
    where company_id = ${source.companyId} and id <> ${source.id}
  `.execute(tx)
  return rows[0]!.chunks
}

const nextReading = ({ kind }: ClaimedSource, now: Date): Date | null =>
  kind === 'page' ? new Date(now.getTime() + KNOWLEDGE_LIMITS.pageEveryMs) : null

/** Returns the time of the next attempt: soon at first, then daily. */
function triedAgainAt(attempt: number, now: Date): Date {
  const after = KNOWLEDGE_ENGINE.retryDelaysMs[attempt - 1] ?? KNOWLEDGE_LIMITS.pageEveryMs
  return new Date(now.getTime() + after)
}

const pageTitle = (title: string): string =>
  cutCodePoints(cleanText(title), KNOWLEDGE_LIMITS.titleChars)
