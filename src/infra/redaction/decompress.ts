import { constants, gunzipSync, inflateSync } from 'node:zlib'
import type { Budget, Steps } from './steps.ts'
import { endOf, type View } from './view.ts'

/** Maximum size of unpacked data, in bytes. Larger data counts as a finding, because it is not searched. */
const MAX_UNPACKED_BYTES = 65_536
/** The cost of one attempt to unpack, in bytes of the budget, whether it succeeds or not. */
const ATTEMPT_BYTES = 16_384
const ATTEMPTS_PER_STEP = 8

/**
 * Returns the data that decoded segments hold compressed, by gzip or zlib. Data that cannot be unpacked counts as a
 * finding.
 */
export function* decompress(
  view: View,
  budget: Budget,
  { foundIn, isFound }: { foundIn(origin: number): void; isFound(origin: number): boolean },
): Steps<View[]> {
  const { bytes, starts, origins, wholes, depth } = view
  const views: View[] = []
  let index = 0
  let attempts = 0
  const nextGzip = nextOf(bytes, GZIP)
  const nextZlib = nextOf(bytes, ZLIB)
  for (let at = 0; budget.left >= 0; at++) {
    at = Math.min(nextGzip(at), nextZlib(at))
    if (at === Infinity) break
    const isGzip = bytes[at] === GZIP && bytes[at + 1] === 0x8b && bytes[at + 2] === 8
    if (!isGzip && !(bytes[at] === ZLIB && beginsZlib(bytes, at))) continue
    while (index + 1 < starts.length && starts[index + 1]! <= at) index++
    const end = endOf(view, index)
    const origin = origins[index]!
    if (isFound(origin)) continue
    const read = unpack(bytes.subarray(at, end), isGzip)
    budget.left -= ATTEMPT_BYTES
    if (read === 'doubtful') foundIn(origin)
    else if (read !== null) {
      budget.left -= read.length
      const isWhole = wholes[index]! && at === starts[index]
      views.push({
        bytes: read,
        starts: [0],
        origins: [origin],
        wholes: [isWhole],
        positions: null,
        made: null,
        depth,
      })
    }
    if (++attempts % ATTEMPTS_PER_STEP === 0) yield
  }
  return views
}

/** The first byte of compressed data. */
const [GZIP, ZLIB] = [0x1f, 0x78]

/**
 * Returns a function that finds the next position of a byte from `from` on, and Infinity when there is none. `from`
 * must never decrease between calls.
 */
function nextOf(bytes: Uint8Array, byte: number): (from: number) => number {
  let next = -1
  return (from) => {
    if (next < from) {
      const found = bytes.indexOf(byte, from)
      next = found === -1 ? Infinity : found
    }
    return next
  }
}

/** The second byte of zlib's usual heads. */
const ZLIB_LEVELS = new Set([0x01, 0x5e, 0x9c, 0xda])

/**
 * Returns whether zlib data may begin here. A wrong attempt to unpack takes far longer than this check. Most chance
 * matches of the first two bytes have no valid block behind them: a stored block contains its length twice, and a
 * block with dynamic codes describes a complete code (RFC 1951).
 */
function beginsZlib(bytes: Uint8Array, at: number): boolean {
  return ZLIB_LEVELS.has(bytes[at + 1]!) && beginsBlock(bytes, at + 2)
}

/** Returns whether a deflate block may begin here. */
function beginsBlock(bytes: Uint8Array, at: number): boolean {
  const bits = (from: number, count: number) => {
    const byte = at + (from >> 3)
    return ((bytes[byte]! | (bytes[byte + 1]! << 8)) >> (from & 7)) & ((1 << count) - 1)
  }
  const kind = bits(1, 2)
  if (kind === 0) return (bits(8, 8) ^ bits(24, 8)) === 0xff && (bits(16, 8) ^ bits(32, 8)) === 0xff
  if (kind !== 2) return kind === 1
  if (bits(3, 5) > 29 || bits(8, 5) > 29) return false
  let code = 0
  for (let length = 0; length < bits(13, 4) + 4; length++) {
    const size = bits(17 + length * 3, 3)
    if (size > 0) code += 128 >> size
  }
  return code === 128
}

/** Options that also return the output of truncated data. */
const HOW = { maxOutputLength: MAX_UNPACKED_BYTES, finishFlush: constants.Z_SYNC_FLUSH }

/** The size of a gzip header without optional fields, in bytes. */
const GZIP_HEAD_BYTES = 10

/**
 * The default output buffer. Most inputs are small, and to allocate a large buffer takes longer than to unpack them.
 */
const CHUNK_BYTES = 4_096

/**
 * Returns the size of the output buffer: the length in gzip's last four bytes where it is plausible, else the
 * default.
 */
function chunkOf(bytes: Uint8Array, isGzip: boolean): number {
  if (!isGzip || bytes.length < GZIP_HEAD_BYTES + 8) return CHUNK_BYTES
  const end = bytes.length
  const said =
    bytes[end - 4]! +
    bytes[end - 3]! * 256 +
    bytes[end - 2]! * 65_536 +
    bytes[end - 1]! * 16_777_216
  return said > CHUNK_BYTES && said < MAX_UNPACKED_BYTES ? said + 1 : CHUNK_BYTES
}

function unpack(bytes: Uint8Array, isGzip: boolean): Uint8Array | 'doubtful' | null {
  if (
    isGzip &&
    bytes[3] === 0 &&
    bytes.length > GZIP_HEAD_BYTES &&
    !beginsBlock(bytes, GZIP_HEAD_BYTES)
  ) {
    return hasGzipHead(bytes) ? 'doubtful' : null
  }
  const { stackTraceLimit } = Error
  // Most attempts fail, and the stack would take longer than they do.
  Error.stackTraceLimit = 0
  try {
    const how = { ...HOW, chunkSize: chunkOf(bytes, isGzip) }
    return isGzip ? gunzipSync(bytes, how) : inflateSync(bytes, how)
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    // The two bytes of zlib occur by chance in any picture; the ten of a gzip header do not.
    return isTooLarge || (isGzip && hasGzipHead(bytes)) ? 'doubtful' : null
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Returns whether flags, compression level and operating system of a gzip header are known ones. */
function hasGzipHead(bytes: Uint8Array): boolean {
  const [flags, level, system] = [bytes[3]!, bytes[8]!, bytes[9]!]
  return (
    flags < 0x20 && (level === 0 || level === 2 || level === 4) && (system < 14 || system === 255)
  )
}
