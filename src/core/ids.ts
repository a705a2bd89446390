import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/** A source of random bytes, which fills the array. A test passes one that always gives the same bytes. */
export type Random = (bytes: Uint8Array) => void

/** Fills an array with random bytes of the operating system. */
export const systemRandom: Random = (bytes) => {
  randomFillSync(bytes)
}

/** The generators of ids and tokens of one installation. */
export type Ids = {
  /** A UUIDv7: sorts by time, and within one process by the order it was made in. */
  uuid(): string
  /** `bytes` random bytes, as URL-safe characters without padding (32 bytes give 43). */
  token(bytes: number): string
  /** The code of this installation among several, which `cellToken` begins with. */
  cell: string
  /**
   * A token as long as `token(bytes)` that names an account from outside. Its first two characters are the code of the
   * cell, so that a router in front of several installations knows which of them the account is in.
   */
  cellToken(bytes: number): string
}

/** The code of an installation without a configured one. */
export const DEFAULT_CELL = '00'

const CELL = /[a-z0-9]{2}/
/** The form of a cell's code, for patterns of addresses. */
export const CELL_PATTERN = CELL.source

/** Returns whether a text can be the code of a cell. */
export const isCellCode = (text: string): boolean => text.length === 2 && CELL.test(text)

/** Returns the lowest UUIDv7 of a time; ids that sort before it were made earlier. No id is older than 1970. */
export function oldestIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

const POOL_BYTES = 8_192

/** Creates ids: UUIDv7 by the clock, which ascend within a process, and random tokens. */
export function createIds(clock: Clock, random: Random, cell = DEFAULT_CELL): Ids {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  let lastMs = 0
  let sequence = 0

  function take(size: number): Buffer {
    if (used + size > POOL_BYTES) {
      random(pool)
      used = 0
    }
    const bytes = pool.subarray(used, used + size)
    used += size
    return bytes
  }

  const token = (bytes: number) => Buffer.from(take(bytes)).toString('base64url')

  return {
    uuid() {
      const ms = clock.now().getTime()
      const bytes = Buffer.from(take(16))
      if (ms > lastMs) {
        lastMs = ms
        // Half of the sequence's range stays free for ids of the same millisecond.
        sequence = bytes.readUInt16BE(6) & 0x7ff
      } else if (++sequence > 0xfff) {
        lastMs += 1
        sequence = 0
      }
      bytes.writeUIntBE(lastMs, 0, 6)
      bytes.writeUInt16BE(0x7000 | sequence, 6)
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      const hex = bytes.toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
    token,
    cell,
    cellToken: (bytes) => `${cell}${token(bytes).slice(cell.length)}`,
  }
}
