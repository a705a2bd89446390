import type { Context } from '../../infra/context.ts'
import { storeFault, type FileStore } from '../files/file-store.ts'
import { REPLY_WORK } from '../../core/limits/replies.ts'
import type { MediaFile } from './reply.ts'

/**
 * A function that loads files of a company into memory for the duration of `work`; null for a file that cannot be
 * read. It waits while the memory budget is exhausted.
 */
export type WithMedia = <Value>(
  companyId: string,
  files: readonly MediaFile[],
  work: (bytes: readonly (Buffer | null)[]) => Promise<Value>,
) => Promise<Value>

/** Creates a loader of files with a memory budget for this process, of which the largest request takes only a part. */
export function createMediaLoader({
  store,
  log,
}: Pick<Context, 'log'> & { store: FileStore }): WithMedia {
  const { mediaBytes: maxBytes } = REPLY_WORK
  let held = 0
  const waiting: { bytes: number; begin(): void }[] = []

  function acquire(bytes: number): Promise<void> {
    if (waiting.length === 0 && held + bytes <= maxBytes) {
      held += bytes
      return Promise.resolve()
    }
    return new Promise((begin) => waiting.push({ bytes, begin }))
  }

  function release(bytes: number): void {
    held -= bytes
    while (waiting[0] && held + waiting[0].bytes <= maxBytes) {
      const next = waiting.shift()!
      held += next.bytes
      next.begin()
    }
  }

  async function read(companyId: string, { fileId, size }: MediaFile): Promise<Buffer | null> {
    try {
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of await store.read({ companyId, id: fileId })) {
        length += (chunk as Buffer).length
        if (length > size) return null
        chunks.push(chunk as Buffer)
      }
      return Buffer.concat(chunks)
    } catch (error) {
      log.warn({ fileId, fault: storeFault(error) }, 'file for the assistant not read')
      return null
    }
  }

  return async (companyId, files, work) => {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await acquire(bytes)
    try {
      return await work(await Promise.all(files.map((file) => read(companyId, file))))
    } finally {
      release(bytes)
    }
  }
}
