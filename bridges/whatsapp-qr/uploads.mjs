/** Files that wait to be sent, in memory and for a few minutes. */
import { randomBytes } from 'node:crypto'

const HELD_BYTES = 256 * 1_048_576
const KEPT_MS = 5 * 60_000

export function createUploads() {
  const uploads = new Map()
  let held = 0

  function forget(id) {
    held -= uploads.get(id)?.bytes.length ?? 0
    uploads.delete(id)
  }

  return {
    /** The id of the file; null where too many wait. */
    add(bytes) {
      if (held + bytes.length > HELD_BYTES) return null
      const id = randomBytes(12).toString('hex')
      uploads.set(id, { bytes, until: Date.now() + KEPT_MS })
      held += bytes.length
      return id
    },
    find: (id) => uploads.get(id)?.bytes,
    forget,
    sweep(now) {
      for (const [id, { until }] of uploads) if (until < now) forget(id)
    },
  }
}
