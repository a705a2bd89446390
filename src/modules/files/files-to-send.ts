import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** A file whose bytes are stored. */
export type KeptFile = {
  id: string
  companyId: string
  purpose: string
  mediaType: string
  size: number
  name: string | null
}

/**
 * Locks the requested files for messages of this transaction, and returns those whose bytes are stored. A file that is
 * missing was deleted, has not arrived, or belongs to another company. A locked file cannot be dropped as unused, and is
 * not due for that after the commit.
 */
export async function lockFilesToSend(
  tx: Transaction<DB>,
  requested: readonly { companyId: string; fileId: string }[],
): Promise<KeptFile[]> {
  if (requested.length === 0) return []
  const isRequested = sql`(company_id, id) in (select * from unnest(
      ${requested.map(({ companyId }) => companyId)}::uuid[],
      ${requested.map(({ fileId }) => fileId)}::uuid[])) and state = 'kept'`
  const { rows } = await sql<KeptFile>`
    select id, company_id, purpose, media_type, size, name from file
    where ${isRequested} order by id for key share
  `.execute(tx)
  // This writes nothing for a flow's file, because many runs use it concurrently.
  await sql`update file set due_at = null where ${isRequested} and due_at is not null`.execute(tx)
  return rows
}

/**
 * Loads a stored file, with the provider's id of an earlier upload through the channel; null without a valid one. Returns
 * undefined for a file that is not stored.
 */
export async function loadFileToSend(
  db: Kysely<DB>,
  {
    companyId,
    id,
    channelId,
    now,
  }: { companyId: string; id: string; channelId: string; now: Date },
): Promise<(KeptFile & { providerMediaId: string | null }) | undefined> {
  const row = await db
    .selectFrom('file')
    .leftJoin('fileUpload', (join) =>
      join
        .onRef('fileUpload.fileId', '=', 'file.id')
        .on('fileUpload.channelId', '=', channelId)
        .on('fileUpload.knownUntil', '>', now),
    )
    .select([
      'file.id',
      'file.companyId',
      'file.purpose',
      'file.mediaType',
      'file.size',
      'file.name',
      'fileUpload.providerMediaId',
    ])
    .where('file.companyId', '=', companyId)
    .where('file.id', '=', id)
    .where('file.state', '=', 'kept')
    .executeTakeFirst()
  return row as (KeptFile & { providerMediaId: string | null }) | undefined
}

/** Stores the provider's id of an upload, so that a file that is sent to many customers is uploaded once. */
export async function rememberUpload(
  db: Kysely<DB>,
  upload: { fileId: string; channelId: string; providerMediaId: string; knownUntil: Date },
): Promise<void> {
  const { providerMediaId, knownUntil } = upload
  await db
    .insertInto('fileUpload')
    .values(upload)
    .onConflict((other) =>
      other.columns(['fileId', 'channelId']).doUpdateSet({ providerMediaId, knownUntil }),
    )
    .execute()
}

/** Deletes the provider's id of an upload, which the provider may have deleted. */
export async function forgetUpload(
  db: Kysely<DB>,
  { fileId, channelId }: { fileId: string; channelId: string },
): Promise<void> {
  await db
    .deleteFrom('fileUpload')
    .where('fileId', '=', fileId)
    .where('channelId', '=', channelId)
    .execute()
}
