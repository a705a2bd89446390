import type { FileStore } from '../../../src/modules/files/file-store.ts'
import { STORED, type Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { readPieces } from './read-backup.ts'

/** Writes the files of customers and members into the store. An existing file has the same content and is overwritten. */
export async function placeStored({
  file,
  manifest,
  store,
  progress,
}: {
  file: string
  manifest: Pick<Manifest, 'stored'>
  store: FileStore
  progress: Progress
}): Promise<void> {
  if (!manifest.stored?.count) return
  let pieces: Buffer[] = []
  let count = 0
  for await (const { name, bytes, isLast } of readPieces(file)) {
    if (!name.startsWith(STORED)) continue
    pieces.push(bytes)
    if (!isLast) continue
    const [companyId = '', id = ''] = name.slice(STORED.length).split('/')
    await store.put({ companyId, id }, Buffer.concat(pieces))
    pieces = []
    count += 1
    progress.now(`${count} files`)
  }
  progress.step(`${count} files`)
}
