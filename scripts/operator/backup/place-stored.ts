import type { FileStore } from '../../../src/modules/files/file-store.ts'
import { STORED, type Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { readPieces } from './read-backup.ts'

/**
 * Writes the files of customers and members into the store. An existing file has the same content and is overwritten.
 * @throws when a file belongs to none of the companies in `companyIds`; without it, files of any company are written
 */
export async function placeStored({
  file,
  manifest,
  store,
  progress,
  companyIds,
}: {
  file: string
  manifest: Pick<Manifest, 'stored'>
  store: FileStore
  progress: Progress
  companyIds?: readonly string[]
}): Promise<void> {
  if (!manifest.stored?.count) return
  let pieces: Buffer[] = []
  let count = 0
  for await (const { name, bytes, isLast } of readPieces(file)) {
    if (!name.startsWith(STORED)) continue
    pieces.push(bytes)
    if (!isLast) continue
    const [companyId = '', id = ''] = name.slice(STORED.length).split('/')
    if (companyIds && !companyIds.includes(companyId)) {
      throw new Error(
        `${name} belongs to no company of the account. No row was changed, but files before it may be stored.`,
      )
    }
    await store.put({ companyId, id }, Buffer.concat(pieces))
    pieces = []
    count += 1
    progress.now(`${count} files`)
  }
  progress.step(`${count} files`)
}
