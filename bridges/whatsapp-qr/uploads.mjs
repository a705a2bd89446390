/** Files that wait to be sent, in memory for a few minutes. Their memory is reserved before they are read. */
import { randomBytes } from 'node:crypto'

const HELD_BYTES = 256 * 1_048_576
const KEPT_MS = 5 * 60_000

/** Creates the store in memory of uploaded files that wait to be sent. */
export function createUploads() {
  const uploads = new Map()
  let held = 0

  function forget(id) {
    held -= uploads.get(id)?.room ?? 0
    uploads.delete(id)
  }

  return {
    /**
     * Reserves memory and returns the id of a file, or null if too much is reserved. The caller stores or forgets the
     * file.
     */
    reserve(room) {
      if (held + room > HELD_BYTES) return null
      const id = randomBytes(12).toString('hex')
      uploads.set(id, { room, until: Infinity })
      held += room
      return id
    },
    put(id, bytes) {
      held += bytes.length - uploads.get(id).room
      uploads.set(id, { bytes, room: bytes.length, until: Date.now() + KEPT_MS })
    },
    find: (id) => uploads.get(id)?.bytes,
    forget,
    sweep(now) {
      for (const [id, { until }] of uploads) if (until < now) forget(id)
    },
  }
}
