import { statfs } from 'node:fs/promises'
import type { AccountManifest } from './manifest.ts'

/** Size of rows with their indexes on the disk, as a multiple of their bytes in the export. */
const ROWS_ON_DISK = 3

/**
 * Checks that the disk of the data folder has enough space for an import. `hasFiles` and `hasRows` say whether files and
 * the database are on that disk.
 * @throws when it has not
 */
export async function requireSpace(
  folder: string,
  { tables, stored }: Pick<AccountManifest, 'tables' | 'stored'>,
  { hasFiles, hasRows }: { hasFiles: boolean; hasRows: boolean },
): Promise<void> {
  const rows = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const needed = (hasFiles ? (stored?.bytes ?? 0) : 0) + (hasRows ? rows * ROWS_ON_DISK : 0)
  await requireFree(folder, needed)
}

/**
 * Checks that the disk of a folder has at least `needed` bytes free. A folder whose disk cannot be examined passes.
 * @throws when it has less
 */
export async function requireFree(folder: string, needed: number): Promise<void> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null || disk.bavail * disk.bsize >= needed) return
  const [have, need] = [disk.bavail * disk.bsize, needed].map((of) => Math.ceil(of / 1_048_576))
  throw new Error(
    `The disk of ${folder} has ${have} MB free, and about ${need} MB are needed. Nothing was changed.`,
  )
}
