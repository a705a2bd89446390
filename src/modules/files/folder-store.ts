import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { FileNotInStore, objectKey, type FileKey, type FileStore } from './file-store.ts'

/**
 * Creates a store in a folder of this machine. Each company has a folder, with one folder for each pair of last digits
 * of the random file ids. A file is written next to its path, synced, and renamed in one step, so that it is either
 * whole or missing.
 */
export function createFolderStore(folder: string): FileStore {
  const fileOf = (key: FileKey) => {
    const [company, id] = objectKey(key).split('/') as [string, string]
    return path.join(folder, company, id.slice(-2), id)
  }

  return {
    async put(key, bytes) {
      const place = fileOf(key)
      const unfinished = `${place}.part`
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      const file = await open(unfinished, 'w', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, place)
      // Another call may have created the folders above without syncing them yet, so each write syncs them.
      const nearest = path.dirname(place)
      for (const above of [nearest, path.dirname(nearest), folder]) await syncFolder(above)
    },
    async read(key, range) {
      const place = fileOf(key)
      const { from: start, to: end } = range ?? {}
      return opened(createReadStream(place, { start, end }), key)
    },
    async delete(key) {
      await rm(fileOf(key), { force: true })
      await rm(`${fileOf(key)}.part`, { force: true })
    },
    close: () => Promise.resolve(),
  }
}

/** Writes a folder's entries to the disk, without which a new name may not survive a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function opened(stream: Readable, key: FileKey): Promise<Readable> {
  return new Promise((resolve, reject) => {
    stream.once('open', () => resolve(stream))
    stream.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new FileNotInStore(key) : error)
    })
  })
}
