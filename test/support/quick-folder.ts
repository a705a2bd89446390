import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
/** The maximum size of the databases of two workers, with room for those of single tests. */
const ROOM_BYTES = 3 * 1024 ** 3

/**
 * Returns the folder of the tests' databases: in memory, where Linux gives room for it, so that a test makes
 * and drops one without the disk. On other systems, and in most containers, it is among the temporary files.
 */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // The free space there is not reserved: the machine must have that memory, besides what the tests need.
    return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
