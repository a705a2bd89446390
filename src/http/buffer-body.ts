import { BODY_LIMITS } from '../core/limits/http.ts'

const BLOCK_BYTES = BODY_LIMITS.readAheadBytes

/**
 * A body as it comes in. Large parts are kept as they are, small ones are copied together into blocks: a
 * body in chunks of one byte costs what any other of its size does, and nothing is ever copied to make
 * room for more. `take` is asked for the memory before it is used. At most `mostBytes` may be added.
 */
export function bufferBody(mostBytes: number, take: (bytes: number) => boolean) {
  const parts: Buffer[] = []
  /** The block that is being filled, the last of the parts; full at first. */
  let block = Buffer.alloc(0)
  let filled = 0
  let size = 0

  /** Copies what still fits into the block. Gives what is left. */
  function fill(part: Buffer): Buffer {
    const copied = part.copy(block, filled)
    filled += copied
    size += copied
    return part.subarray(copied)
  }

  return {
    size: () => size,
    /** False when there is no memory for it. */
    add(part: Buffer): boolean {
      const rest = fill(part)
      if (rest.length === 0) return true
      if (rest.length >= BLOCK_BYTES || size + rest.length === mostBytes) {
        if (!take(rest.length)) return false
        parts.push(rest)
        size += rest.length
        return true
      }
      const bytes = Math.min(BLOCK_BYTES, mostBytes - size)
      if (!take(bytes)) return false
      block = Buffer.allocUnsafeSlow(bytes)
      parts.push(block)
      filled = 0
      fill(rest)
      return true
    },
    /** Nobody will read it. */
    drop(): void {
      parts.length = 0
      block = Buffer.alloc(0)
    },
    /** All of it, in one piece. */
    whole(): Buffer {
      if (parts.length === 1) return parts[0]!.subarray(0, size)
      return Buffer.concat(parts, size)
    },
  }
}
export type Gathered = ReturnType<typeof bufferBody>
