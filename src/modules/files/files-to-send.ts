import { sql, type Kysely, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** A file of the company that is here. */
export type KeptFile = {
  id: string
  companyId: string
  purpose: string
  mediaType: string
  size: number
  name: string | null
}

/**
 * The files of these ids that are kept, each with its company's; what is missing is gone, not here yet, or somebody
 * else's. They are held until the end of the transaction, so that none is dropped for being sent to nobody
 * while a message takes it, and stay from then on.
 */
export async function takeFilesToSend(
  tx: Transaction<DB>,
  asked: readonly { companyId: string; fileId: string }[],
): Promise<KeptFile[]> {
  if (asked.length === 0) return []
  const isAsked = sql`(company_id, id) in (select * from unnest(
      ${asked.map(({ companyId }) => companyId)}::uuid[],
      ${asked.map(({ fileId }) => fileId)}::uuid[])) and state = 'kept'`
  const { rows } = await sql<KeptFile>`
    select id, company_id, purpose, media_type, size, name from file
    where ${isAsked} order by id for key share
  `.execute(tx)
  // Of a flow's file this writes nothing: many turns take it along at the same time.
  await sql`update file set due_at = null where ${isAsked} and due_at is not null`.execute(tx)
  return rows
}

/** A file that a message takes along, and what the provider calls it where it has it already. */
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

/** Many may be sent one file: it is uploaded to the provider once for all of them. */
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

/** The provider may no longer have it. */
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
