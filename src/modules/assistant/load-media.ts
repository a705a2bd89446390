import type { Context } from '../../infra/context.ts'
import { storeFault, type FileStore } from '../files/file-store.ts'
import { REPLY_WORK } from '../../core/limits/replies.ts'
import type { MediaFile } from './reply.ts'

/**
 * Has some files of a company in memory while `work` goes on with their bytes; null for one that the store
 * does not give. Where too much is in memory already it waits until there is room.
 */
export type WithMedia = <Value>(
  companyId: string,
  files: readonly MediaFile[],
  work: (bytes: readonly (Buffer | null)[]) => Promise<Value>,
) => Promise<Value>

export function createMediaBudget(
  { store, log }: Pick<Context, 'log'> & { store: FileStore },
  mostBytes: number = REPLY_WORK.mediaBytes,
): WithMedia {
  let held = 0
  const waiting: { bytes: number; begin(): void }[] = []

  function take(bytes: number): Promise<void> {
    if (waiting.length === 0 && held + bytes <= mostBytes) {
      held += bytes
      return Promise.resolve()
    }
    return new Promise((begin) => waiting.push({ bytes, begin }))
  }

  function giveBack(bytes: number): void {
    held -= bytes
    while (waiting[0] && held + waiting[0].bytes <= mostBytes) {
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
      log.warn({ fileId, fault: storeFault(error) }, 'a file for the assistant could not be read')
      return null
    }
  }

  return async (companyId, files, work) => {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    await take(bytes)
    try {
      return await work(await Promise.all(files.map((file) => read(companyId, file))))
    } finally {
      giveBack(bytes)
    }
  }
}
