import type { FileStore } from '../../../src/modules/files/file-store.ts'
import { STORED, type Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { readPieces } from './read-backup.ts'

/** Puts what customers and members sent into the store, file by file. One that is there already is the same one. */
export async function placeStored({
  file,
  manifest,
  store,
  progress,
}: {
  file: string
  manifest: Manifest
  store: FileStore
  progress: Progress
}): Promise<void> {
  if (!manifest.stored?.count) return
  let pieces: Buffer[] = []
  let count = 0
  for await (const { name, bytes, isLast } of readPieces(file)) {
    if (!name.startsWith(STORED)) continue
    // A piece is a part of what was read last, which goes when the next is read.
    pieces.push(Buffer.from(bytes))
    if (!isLast) continue
    const [companyId = '', id = ''] = name.slice(STORED.length).split('/')
    await store.put({ companyId, id }, Buffer.concat(pieces))
    pieces = []
    count += 1
    progress.now(`${count} files`)
  }
  progress.step(`${count} files`)
}
