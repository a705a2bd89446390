import type { Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { readFileName } from '../../rules/files/file-name.ts'
import { cleanText } from '../../rules/text/json-text.ts'

/** A file that arrived with a message, of which only the provider's description is known. */
export type FileToDownload = {
  id: string
  companyId: string
  channelId: string
  /** The adapter's reference for fetching the file. */
  media: { fileName?: string }
}

/** Inserts files that the worker downloads from the provider after the commit. Spec: Files › Receiving. */
export async function enqueueDownloads(
  tx: Transaction<DB>,
  now: Date,
  files: readonly FileToDownload[],
): Promise<void> {
  if (files.length === 0) return
  await tx
    .insertInto('file')
    .values(
      files.map(({ id, companyId, channelId, media }) => ({
        id,
        companyId,
        channelId,
        purpose: 'received',
        state: 'awaited',
        providerMedia: cleanText(JSON.stringify(media)),
        name: readFileName(media.fileName),
        dueAt: now,
        createdAt: now,
      })),
    )
    .execute()
  notifyAfterCommit(tx, 'files')
}

/** Makes uploads permanent that a visitor's messages use, so that they are not deleted as unused. */
export async function keepUploads(
  tx: Transaction<DB>,
  files: readonly { id: string; media?: unknown }[],
): Promise<void> {
  const ids = files.filter(({ media }) => media === undefined).map(({ id }) => id)
  if (ids.length === 0) return
  await tx
    .updateTable('file')
    .set({ dueAt: null })
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .where('visitorId', 'is not', null)
    .execute()
}
