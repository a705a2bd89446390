import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { Context } from '../../../infra/context.ts'
import type {
  ContactImportView,
  ReadImport,
  UploadImport,
} from '../../../contract/dashboard/contact-import.ts'
import type { FormatFact } from '../../../contract/dashboard/localized-fact.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { ImportEncoding } from '../../../core/vocabulary/contacts.ts'
import { NO_COUNTS } from './counts.ts'
import { deleteRows } from './import-row-store.sql.ts'
import { saveFile, readSavedFile } from './saved-file.sql.ts'
import { readFile, type ConvertedFile } from './read-file.ts'
import { requireOpen } from './switch-import.ts'
import { FIRST_ROW, requireImport, showImport, type OwnedImport } from './view-import.ts'

type Deps = Context & { formatFact: FormatFact }

/**
 * Stores an uploaded file of contacts, whose first row has the names of the columns. No row is imported yet.
 *
 * @throws invalid
 * Spec: Contacts › Import.
 */
export async function uploadImport(
  context: Deps,
  actor: Actor,
  { companyId, name, bytes: uploaded }: UploadImport & { companyId: string; bytes: Buffer },
): Promise<ContactImportView> {
  const { db, ids, clock } = context
  const file = await readFile(uploaded)
  const importId = ids.uuid()
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await tx
      .insertInto('contactImport')
      .values({
        id: importId,
        companyId,
        name,
        state: 'uploaded',
        ...columnsOf(file),
        createdBy: actor.personId,
        createdAt: now,
      })
      .execute()
    await saveFile(tx, importId, file)
    await audit(
      'contact_import.uploaded',
      { id: importId, companyId },
      { name, bytes: uploaded.length },
    )
  })
  return showImport(context, { companyId, importId })
}

/**
 * Reads a CSV file again with another delimiter or encoding; its columns must be mapped again. Without a given
 * delimiter it is detected; the encoding is kept. @throws not_found; invalid; conflict
 *
 * Spec: Contacts › Import.
 */
export async function rereadImport(
  context: Deps,
  actor: Actor,
  { delimiter, encoding, ...owned }: OwnedImport & ReadImport,
): Promise<ContactImportView> {
  const { db, ids, clock } = context
  const job = await requireImport(db.kysely, owned)
  requireOpen(job)
  if (job.encoding === null) throw new ServiceError('conflict', fact('import_no_csv'))
  const file = await readFile(await readSavedFile(db.kysely, owned.importId), {
    delimiter,
    encoding: encoding ?? (job.encoding as ImportEncoding),
  })
  await auditedTransaction({ db, ids, clock }, actor, async (tx) => {
    const locked = await tx
      .selectFrom('contactImport')
      .selectAll()
      .where('id', '=', owned.importId)
      .where('companyId', '=', owned.companyId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    requireOpen(locked)
    await deleteRows(tx, owned.importId)
    if (file.encoding !== locked.encoding) await saveFile(tx, owned.importId, file)
    await tx
      .updateTable('contactImport')
      .set({
        ...columnsOf(file),
        ...NO_COUNTS,
        state: 'uploaded',
        columns: null,
        rowsFound: null,
        nextRow: FIRST_ROW,
      })
      .where('id', '=', owned.importId)
      .where('companyId', '=', owned.companyId)
      .execute()
  })
  return showImport(context, owned)
}

function columnsOf({ bytes, encoding, delimiter, headers, firstByte, sample }: ConvertedFile) {
  return {
    headers,
    delimiter,
    encoding,
    sample: JSON.stringify(sample),
    size: bytes.length,
    firstByte,
    nextByte: firstByte,
  }
}
