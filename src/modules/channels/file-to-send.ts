import type { Context } from '../../infra/context.ts'
import { retryWhileUnavailable } from '../../infra/database/retry-while-unavailable.ts'
import type { FileStore } from '../files/file-store.ts'
import { forgetUpload, loadFileToSend, rememberUpload } from '../files/files-to-send.ts'
import type { FileToSend } from './channel-adapter.ts'
import type { OpenedChannel } from './load-channel.ts'

/**
 * Creates the loader of files that adapters send; it returns null for a deleted file. Its statements are retried while
 * the database is unavailable, which says nothing about the message.
 */
export function createFileLoader(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  store: FileStore,
) {
  return async function fileToSend(
    { id: channelId, companyId }: Pick<OpenedChannel, 'id' | 'companyId'>,
    fileId: string,
  ): Promise<FileToSend | null> {
    const key = { companyId, id: fileId }
    const file = await retryWhileUnavailable(() =>
      loadFileToSend(db.kysely, { ...key, channelId, now: clock.now() }),
    )
    if (!file) return null
    const { mediaType, size, name, providerMediaId } = file
    return {
      id: fileId,
      mediaType,
      size,
      name,
      providerMediaId,
      read: () => store.read(key),
      async remember(providerId, forMs) {
        const knownUntil = new Date(clock.now().getTime() + forMs)
        const upload = { fileId, channelId, providerMediaId: providerId, knownUntil }
        // Otherwise the file is uploaded once more: no reason to refuse the message.
        await retryWhileUnavailable(() => rememberUpload(db.kysely, upload)).catch(
          (error: unknown) => log.warn({ err: error, fileId, channelId }, 'upload not remembered'),
        )
      },
      async forget() {
        if (providerMediaId === null) return false
        await retryWhileUnavailable(() => forgetUpload(db.kysely, { fileId, channelId }))
        return true
      },
    }
  }
}
