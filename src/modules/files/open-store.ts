import path from 'node:path'
import type { Clock } from '../../core/clock.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder-store.ts'
import { createS3Store, type S3Settings } from './s3-store.ts'

/** The folder of files within the data folder. */
const FILES_FOLDER = 'files'

/** Opens the file store of this service: the operator's bucket if one is configured, or else the data folder. */
export function openFileStore(
  { dataFolder, filesS3 }: { dataFolder: string; filesS3: S3Settings | null },
  clock: Clock,
): FileStore {
  return filesS3
    ? createS3Store(filesS3, clock)
    : createFolderStore(path.join(dataFolder, FILES_FOLDER))
}
