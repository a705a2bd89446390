import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { FILE_LIMITS } from '../../core/limits/files.ts'
import { readFileName } from '../../rules/files/file-name.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { FilePurpose } from '../../core/vocabulary/files.ts'
import { storeFault, type FileStore } from './file-store.ts'
import { keepBytes } from './keep-bytes.ts'
import { showFile } from './load-file.ts'

type Deps = Context & { files: FileStore; formatFact: FormatFact }
type Upload = { companyId: string; purpose: FilePurpose; name?: string | undefined; bytes: Buffer }

/**
 * Stores a member's upload: to send it once, within a day, or to keep it for flows. The row is written before the
 * bytes, so that every file in the store has a row.
 * @throws invalid for an empty file; forbidden; limit_reached; service_unavailable if the store fails
 * Spec: Files › Uploading.
 */
export async function uploadFile(
  context: Deps,
  actor: Actor,
  { companyId, purpose, name, bytes }: Upload,
): Promise<FileView> {
  const { db, ids, clock, files, log } = context
  if (bytes.length === 0) throw new ServiceError('invalid', fact('file_empty'))
  if (purpose === 'flow' && actor.role === 'agent') {
    throw new ServiceError('forbidden', fact('needs_role', { roles: ['owner', 'admin'] }))
  }
  const now = clock.now()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const id = ids.uuid()
  const size = bytes.length
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await requireUploadQuota(tx, actor.accountId, size)
    const row = {
      id,
      companyId,
      purpose,
      state: 'awaited',
      uploadedBy: actor.personId,
      name: readFileName(name),
      size,
      // The file is dropped if its bytes do not arrive.
      dueAt: after(FILE_LIMITS.uploadMs),
      createdAt: now,
    }
    await tx.insertInto('file').values(row).execute()
    if (purpose !== 'flow') return
    await audit('file.uploaded', { id, companyId }, { name: row.name, size })
  })
  const properties = await keepBytes(files, { companyId, id }, bytes).catch((error: unknown) => {
    log.error({ err: error, fileId: id }, 'upload not stored')
    throw new ServiceError(
      'service_unavailable',
      fact('store_failed', { fault: storeFault(error) }),
    )
  })
  const dueAt = purpose === 'flow' ? null : after(FILE_LIMITS.unsentKeptMs)
  const { numUpdatedRows } = await db.kysely
    .updateTable('file')
    .set({ ...properties, state: 'kept', dueAt })
    .where('id', '=', id)
    .where('state', '=', 'awaited')
    .executeTakeFirstOrThrow()
  // The file was dropped meanwhile, and its row may be deleted, so that no worker would delete these bytes.
  if (numUpdatedRows === 0n) await files.delete({ companyId, id })
  return showFile(context, { companyId, fileId: id })
}

/**
 * Throws if an upload would exceed the account's quota. Locks the account, so that concurrent uploads are counted one
 * after the other. @throws limit_reached
 */
async function requireUploadQuota(
  tx: Transaction<DB>,
  accountId: string,
  bytes: number,
): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
  const { held } = await tx
    .selectFrom('file')
    .innerJoin('company', 'company.id', 'file.companyId')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.val(0)).as('held'))
    .where('company.accountId', '=', accountId)
    // As a parameter it would not match the condition of the index.
    .where(sql<boolean>`file.purpose <> 'received'`)
    .where('file.state', '<>', 'dropped')
    .executeTakeFirstOrThrow()
  const max = FILE_LIMITS.uploadedBytesOfAccount
  if (held + bytes > max) {
    throw new ServiceError('limit_reached', fact('uploads_full', { max }))
  }
}
