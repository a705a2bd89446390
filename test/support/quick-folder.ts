import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
/** What the databases of two workers take at most, with room for those of single tests. */
const ROOM_BYTES = 3 * 1024 ** 3

/**
 * Where databases of tests lie: in memory, where Linux gives room for it, so that a test makes and drops
 * one without the disk. Else among the temporary files, as on other systems and in most containers.
 */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // What is free there is not taken yet: the machine must have it too, beside what the tests need.
    return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
