import { BODY_LIMITS } from '../core/limits/http.ts'
import { runInTimeSlices } from '../modules/connections/run-in-time-slices.ts'

const BLOCK_BYTES = BODY_LIMITS.readAheadBytes

/**
 * Creates a buffer that collects the chunks of a request body up to `maxBytes`. It keeps large parts as they are and
 * copies small ones into blocks: a body in chunks of one byte costs no more than any other of its size, and nothing is
 * copied to grow a buffer. `take` reserves memory before it is used. At most `maxBytes` may be added.
 */
export function bufferBody(maxBytes: number, take: (bytes: number) => boolean) {
  const parts: Buffer[] = []
  /** The block that is being filled, the last of the parts; full at first. */
  let block = Buffer.alloc(0)
  let filled = 0
  let size = 0

  /** Copies as much of a part as fits into the block. Returns the rest. */
  function fill(part: Buffer): Buffer {
    const copied = part.copy(block, filled)
    filled += copied
    size += copied
    return part.subarray(copied)
  }

  return {
    size: () => size,
    /** Adds a part. Returns false when `take` refuses the memory. */
    add(part: Buffer): boolean {
      const rest = fill(part)
      if (rest.length === 0) return true
      if (rest.length >= BLOCK_BYTES || size + rest.length === maxBytes) {
        if (!take(rest.length)) return false
        parts.push(rest)
        size += rest.length
        return true
      }
      const bytes = Math.min(BLOCK_BYTES, maxBytes - size)
      if (!take(bytes)) return false
      block = Buffer.allocUnsafeSlow(bytes)
      parts.push(block)
      filled = 0
      fill(rest)
      return true
    },
    /** Releases the memory of a body that no handler will read. */
    drop(): void {
      parts.length = 0
      block = Buffer.alloc(0)
      size = 0
    },
    /** Returns the whole body in one piece. A large one is copied in time slices. */
    async whole(): Promise<Buffer> {
      const [first] = parts
      if (first && parts.length === 1) return first.subarray(0, size)
      return runInTimeSlices(join(parts, size))
    },
  }
}

/** Copies parts into one buffer, and removes each of them. */
function* join(parts: Buffer[], size: number): Generator<undefined, Buffer> {
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (let part = parts.shift(); part; part = parts.shift()) {
    at += part.copy(whole, at)
    yield
  }
  return whole
}

export type BodyBuffer = ReturnType<typeof bufferBody>
