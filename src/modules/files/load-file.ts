import type { Kysely } from 'kysely'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { FILE_VIEW, viewFile } from './view-file.ts'

type Owned = { companyId: string; fileId: string }
type ViewDeps = { db: Pick<Context['db'], 'kysely'>; formatFact: FormatFact }

/** Loads the row of a company's file. @throws not_found, also when it is dropped */
export async function loadFile(db: Kysely<DB>, { companyId, fileId }: Owned) {
  return db
    .selectFrom('file')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', fileId)
    .where('state', '<>', 'dropped')
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_file')))
}

/**
 * Returns the view of a company's file.
 * @throws not_found
 */
export async function showFile(context: ViewDeps, owned: Owned): Promise<FileView> {
  return viewFile(context, await loadFile(context.db.kysely, owned))
}

/** Returns the views of a company's files, by file id. Dropped files are left out. */
export async function viewFilesOf(
  { db, formatFact }: ViewDeps,
  { companyId, fileIds }: { companyId: string; fileIds: readonly string[] },
): Promise<Map<string, FileView>> {
  if (fileIds.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('file')
    .select(FILE_VIEW)
    .where('companyId', '=', companyId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...fileIds])))
    .where('state', '<>', 'dropped')
    .execute()
  return new Map(rows.map((row) => [row.id, viewFile({ formatFact }, row)]))
}
