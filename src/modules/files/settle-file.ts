/**
 * Outcomes of claimed files. An outcome after the end of the lease changes nothing. A file that was dropped meanwhile
 * stays dropped and due.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { settle as settleRow } from '../../infra/database/queues/release.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { FILE_ENGINE } from '../../core/limits/files.ts'
import { FILE_QUEUE, type ClaimedFile } from './file-queue.ts'
import { storeFailure, type FileStore } from './file-store.ts'
import { keepBytes, type FileProperties } from './keep-bytes.ts'

/**
 * Stores a downloaded file and marks it as `kept`, or returns why the store failed. Then the file is unchanged, and the
 * caller schedules the next attempt. Returns null when the store did not fail.
 * @throws the errors of the database
 */
export async function settleKept(
  { db, store }: { db: Kysely<DB>; store: FileStore },
  file: ClaimedFile,
  bytes: Buffer,
): Promise<Fact | null> {
  let properties: FileProperties
  try {
    properties = await keepBytes(store, file, bytes)
  } catch (error) {
    return storeFailure(error)
  }
  const { mediaType, size, sha256 } = properties
  const isRecorded = await settle(
    db,
    file,
    { state: 'kept', dueAt: null },
    sql`, media_type = ${mediaType}, size = ${size}, sha256 = ${sha256}, provider_media = null`,
  )
  if (isRecorded) return null
  const row = await db.selectFrom('file').select('id').where('id', '=', file.id).executeTakeFirst()
  // The row was deleted before these bytes were written, so they are deleted too.
  if (!row) await store.delete(file)
  return null
}

/** Marks a file as `lost`, with the reason why it cannot be downloaded. */
export async function settleLost(db: Kysely<DB>, file: ClaimedFile, why: Fact): Promise<void> {
  const reason = sql`, lost_reason = ${serializeFact(why)}, provider_media = null`
  await settle(db, file, { state: 'lost', dueAt: null }, reason)
}

/** Schedules the next attempt to download or delete a file. */
export async function postponeFile(db: Kysely<DB>, file: ClaimedFile, dueAt: Date): Promise<void> {
  const { state, attempt } = file
  await settle(db, file, { state, dueAt }, sql`, attempt = ${attempt + 1}`)
}

/** Returns the time of the next retry for a failed download or deletion; null once the attempts are used up. */
export function nextFileAttemptAt(attempt: number, now: Date): Date | null {
  const delayMs = FILE_ENGINE.retryDelaysMs[attempt - 1]
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs)
}

/** Deletes the row of a dropped file whose bytes are deleted. Messages lose their reference to it. */
export async function settleDeleted(db: Kysely<DB>, { id, claimId }: ClaimedFile): Promise<void> {
  await db
    .deleteFrom('file')
    .where('id', '=', id)
    .where('claimId', '=', claimId)
    .where('state', '=', 'dropped')
    .execute()
}

/** Writes the outcome of a claimed file. Returns false, having written nothing, when its claim has ended. */
function settle(
  db: Kysely<DB>,
  file: ClaimedFile,
  after: { state: string; dueAt: Date | null },
  more: RawBuilder<unknown>,
): Promise<boolean> {
  return settleRow(
    db,
    FILE_QUEUE,
    file,
    sql`state = case state when ${file.state} then ${after.state} else state end,
      due_at = case state when ${file.state} then ${after.dueAt}::timestamptz else due_at end ${more}`,
  )
}
