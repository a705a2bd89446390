/** Uploads of visitors, and the files of their conversation. Spec: Channels › The website's chat; Files › Receiving. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { storeFault, type FileStore } from '../files/file-store.ts'
import { keepBytes } from '../files/keep-bytes.ts'
import { FILE_LIMITS } from '../../core/limits/files.ts'
import { DAY_MS, HOUR_MS } from '../../core/limits/units.ts'
import { VISITOR_LIMITS } from '../../core/limits/visitors.ts'
import { readFileName } from '../../rules/files/file-name.ts'
import { mediaKindOf, whyNotSendable } from '../../rules/messaging/sendable-media.ts'
import { sniffMediaType } from '../../rules/files/sniff-media-type.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import type { MediaKind } from '../../core/vocabulary/files.ts'
import type { Site } from './site.ts'
import { findVisitor, findOrCreateVisitor } from './visitor.ts'

/** A stored upload, as the widget gets it. */
export type Upload = {
  uploadId: string
  kind: MediaKind
  mediaType: string
  name: string | null
  size: number
}

type Deps = Context & { files: FileStore }

/**
 * Stores a visitor's upload, which a message can use within a day. Its type is determined from its bytes only, and must
 * be one that the widget shows and sends. As with every file, the row is written before the bytes.
 * @throws invalid for an empty file and one of another type or size; limit_reached; service_unavailable
 */
export async function storeUpload(
  context: Deps,
  site: Site,
  { token, name, bytes }: { token: string; name: string | undefined; bytes: Buffer },
): Promise<Upload> {
  const { db, ids, clock, files, log } = context
  if (bytes.length === 0) throw new ServiceError('invalid', fact('file_empty'))
  const mediaType = sniffMediaType(bytes)
  const size = bytes.length
  const why = whyNotSendable({ mediaType, size }, capabilitiesOf(site.channel.type))
  if (why) throw new ServiceError('invalid', why)
  const visitor =
    (await findVisitor(db.kysely, site, token)) ?? (await findOrCreateVisitor(context, site, token))
  const now = clock.now()
  const id = ids.uuid()
  const { companyId } = site.channel
  const row = {
    id,
    companyId,
    channelId: site.channel.id,
    visitorId: visitor.id,
    purpose: 'received',
    name: readFileName(name),
    mediaType,
    size,
    createdAt: now,
  }
  await transaction(db, async (tx) => {
    await requireUploadQuota(tx, now, { visitorId: visitor.id, companyId, size })
    // No process fetches the file until its bytes are here. It is dropped if they do not arrive.
    const dueAt = new Date(now.getTime() + FILE_LIMITS.uploadMs)
    await tx
      .insertInto('file')
      .values({ ...row, state: 'dropped', dueAt })
      .execute()
  })
  const { sha256 } = await keepBytes(files, { companyId, id }, bytes).catch((error: unknown) => {
    log.error({ err: error, fileId: id }, 'visitor upload not stored')
    const failed = fact('store_failed', { fault: storeFault(error) })
    throw new ServiceError('service_unavailable', failed)
  })
  await db.kysely
    .updateTable('file')
    .set({ state: 'kept', sha256, dueAt: new Date(now.getTime() + FILE_LIMITS.unsentKeptMs) })
    .where('id', '=', id)
    // If the visitor was erased meanwhile, no row matches, and the file is dropped like a missing upload.
    .where('visitorId', '=', visitor.id)
    .where('claimId', 'is', null)
    .execute()
  return { uploadId: id, kind: mediaKindOf(mediaType), mediaType, name: row.name, size }
}

/**
 * Throws if a visitor, or all visitors of an account's widgets, have used up the daily upload limit.
 *
 * Isolation: uploads of one account are counted one after the other, each after the previous one has been written, so
 * concurrent uploads cannot exceed the limit.
 * @throws limit_reached
 */
async function requireUploadQuota(
  tx: Transaction<DB>,
  now: Date,
  { visitorId, companyId, size }: { visitorId: string; companyId: string; size: number },
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('visitor uploads ' || account_id, 0))
    from company where id = ${companyId}`.execute(tx)
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  const dayAgo = new Date(now.getTime() - DAY_MS)
  const { rows } = await sql<{ recent: number; theirs: number; all: number }>`
    select
      (select count(*)::int from file
        where visitor_id = ${visitorId} and created_at > ${hourAgo}) as recent,
      (select coalesce(sum(size), 0)::float8 from file
        where visitor_id = ${visitorId} and created_at > ${dayAgo}) as theirs,
      (select coalesce(sum(size), 0)::float8
        from company join company own on own.account_id = company.account_id
          join channel on channel.company_id = own.id
          join file on file.channel_id = channel.id
            and visitor_id is not null and file.created_at > ${dayAgo}
        where company.id = ${companyId}) as "all"`.execute(tx)
  const { recent, theirs, all } = rows[0]!
  const isFull =
    recent >= VISITOR_LIMITS.uploadsPerVisitorPerHour ||
    theirs + size > VISITOR_LIMITS.uploadedBytesOfVisitorPerDay ||
    all + size > VISITOR_LIMITS.uploadedBytesOfAccountPerDay
  if (isFull) throw new ServiceError('limit_reached', fact('visitor_uploads_full'))
}

/**
 * Postpones the deletion of an upload by an hour, because a message is about to use it. Returns its id and kind.
 * @throws invalid
 */
export async function reserveUpload(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { visitorId, fileId }: { visitorId: string; fileId: string },
): Promise<{ id: string; kind: MediaKind }> {
  const now = clock.now()
  const file = await db.kysely
    .updateTable('file')
    .set({
      dueAt: sql<Date | null>`case when due_at is not null
        then ${new Date(now.getTime() + HOUR_MS)}::timestamptz end`,
    })
    .where('id', '=', fileId)
    .where('visitorId', '=', visitorId)
    .where('state', '=', 'kept')
    .where('claimId', 'is', null)
    .returning(['id', 'mediaType'])
    .executeTakeFirst()
  if (file) return { id: file.id, kind: mediaKindOf(file.mediaType!) }
  throw wrongField('uploadId', fact('no_such_upload'))
}

/** Loads a file of a visitor's own conversation. @throws not_found */
export async function loadVisitorFile(
  db: Kysely<DB>,
  site: Site,
  { token, fileId }: { token: string; fileId: string },
): Promise<{
  id: string
  companyId: string
  mediaType: string
  size: number
  name: string | null
}> {
  const visitor = await findVisitor(db, site, token)
  const file =
    visitor?.conversationId &&
    (await db
      .selectFrom('message')
      .innerJoin('file', 'file.id', 'message.fileId')
      .select(['file.id', 'file.companyId', 'file.mediaType', 'file.size', 'file.name'])
      .where('file.id', '=', fileId)
      .where('file.state', '=', 'kept')
      .where('message.conversationId', '=', visitor.conversationId)
      .where('message.shownAt', 'is not', null)
      .executeTakeFirst())
  if (!file) throw new ServiceError('not_found', fact('no_such_file'))
  return { ...file, mediaType: file.mediaType!, size: file.size! }
}
