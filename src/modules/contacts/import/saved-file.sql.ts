import { sql, type Kysely } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import type { ConvertedFile } from './read-file.ts'

/**
 * Stores an import's file in UTF-8, and the uploaded original. Each has a separate statement: the driver serializes
 * all parameters of a statement synchronously, which blocks the process.
 */
export async function saveFile(
  tx: Kysely<DB>,
  importId: string,
  { bytes, original }: Pick<ConvertedFile, 'bytes' | 'original'>,
): Promise<void> {
  await sql`
    insert into contact_import_file (import_id, bytes) values (${importId}, ${bytes})
    on conflict (import_id) do update set bytes = excluded.bytes, original = null`.execute(tx)
  if (original === null) return
  await sql`update contact_import_file set original = ${original} where import_id = ${importId}`.execute(
    tx,
  )
}

/** Returns the file as it was uploaded (a workbook as CSV). It is read in parts for the same reason. */
export async function readSavedFile(db: Kysely<DB>, importId: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let at = 0
  let size = 1
  while (at < size) {
    const [from, length] = [sql`${at + 1}::int`, sql`${IMPORT_LIMITS.partBytes}::int`]
    const { rows } = await sql<{ part: Buffer; size: number }>`
      select case when original is null then substring(bytes from ${from} for ${length})
          else substring(original from ${from} for ${length}) end as part,
        coalesce(octet_length(original), octet_length(bytes)) as size
      from contact_import_file where import_id = ${importId}`.execute(db)
    const [row] = rows
    if (!row) break
    parts.push(row.part)
    at += IMPORT_LIMITS.partBytes
    size = row.size
  }
  return Buffer.concat(parts)
}
