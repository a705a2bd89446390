import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import type { OutboundAnswer } from '../../infra/egress/outbound-client.ts'

/** The value of `Accept-Encoding` of a call. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

// Runs in the thread pool, not on the event loop: its duration depends on the sender.
const unpackGzip: Unpack = promisify(gunzip)
const unpackBrotli: Unpack = promisify(brotliDecompress)
const unpackZlib: Unpack = promisify(inflate)
const unpackRaw: Unpack = promisify(inflateRaw)

const UNPACK: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', unpackGzip],
  ['x-gzip', unpackGzip],
  ['br', unpackBrotli],
  // Some servers omit the zlib frame that the standard requires.
  ['deflate', (bytes, options) => (hasZlibFrame(bytes) ? unpackZlib : unpackRaw)(bytes, options)],
])

/**
 * Decompresses a response and removes its Content-Encoding. A body beyond the size limit is marked as truncated. One
 * that cannot be decompressed is returned unchanged, which `remainingEncoding` detects. Spec: Calls › Answers; reading C4.
 */
export async function unpackAnswer(answer: OutboundAnswer): Promise<OutboundAnswer> {
  const encodings = encodingsOf(answer)
  const unpack = encodings.length === 1 ? UNPACK.get(encodings[0]!) : undefined
  if (answer.kind === 'error' || answer.truncated || unpack === undefined) return answer
  const headers = answer.headers.filter(([name]) => !isContentEncoding(name))
  try {
    const head = await unpack(answer.head, { maxOutputLength: CALL_LIMITS.answerBytes })
    return { ...answer, headers, head }
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge ? { ...answer, headers, head: Buffer.alloc(0), truncated: true } : answer
  }
}

/**
 * Returns the Content-Encoding in which a response's body is still compressed, or null when the body can be read.
 * `encoding` is null for a header that is not a short list of tokens.
 */
export function remainingEncoding(answer: OutboundAnswer): { encoding: string | null } | null {
  const encodings = encodingsOf(answer)
  if (encodings.length === 0) return null
  const isNamed = encodings.every((encoding) => /^[a-z0-9-]{1,20}$/.test(encoding))
  return { encoding: isNamed && encodings.length <= 3 ? encodings.join(', ') : null }
}

/** Returns the encodings in the order in which they were applied; none without a body. */
function encodingsOf(answer: OutboundAnswer): string[] {
  if (answer.kind === 'error' || answer.head.length === 0) return []
  return answer.headers
    .filter(([name]) => isContentEncoding(name))
    .flatMap(([, value]) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
}

const isContentEncoding = (name: string): boolean => name.toLowerCase() === 'content-encoding'

function hasZlibFrame(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
