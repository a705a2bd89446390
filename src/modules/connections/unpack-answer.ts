import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import type { OutboundAnswer } from '../../infra/egress/outbound-client.ts'

/** What a call says that its answer may be compressed as. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

// Not on the event loop: how long it takes is the sender's choice.
const unpackGzip: Unpack = promisify(gunzip)
const unpackBrotli: Unpack = promisify(brotliDecompress)
const unpackZlib: Unpack = promisify(inflate)
const unpackRaw: Unpack = promisify(inflateRaw)

const UNPACK: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', unpackGzip],
  ['x-gzip', unpackGzip],
  ['br', unpackBrotli],
  // Some send it without the frame that the standard asks for.
  ['deflate', (bytes, options) => (hasZlibFrame(bytes) ? unpackZlib : unpackRaw)(bytes, options)],
])

/**
 * The answer as it was before it was compressed, without its Content-Encoding. What would be larger
 * than an answer may be is cut there and truncated. What cannot be unpacked comes back as it is, with
 * its Content-Encoding, which `packedAs` then tells. Spec: Calls › Answers; reading C4.
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

/** What an answer is still compressed as, in words for a person; null when it can be read. */
export function packedAs(answer: OutboundAnswer): { encoding: string | null } | null {
  const encodings = encodingsOf(answer)
  if (encodings.length === 0) return null
  const isNamed = encodings.every((encoding) => /^[a-z0-9-]{1,20}$/.test(encoding))
  return { encoding: isNamed && encodings.length <= 3 ? encodings.join(', ') : null }
}

/** In the order in which they were applied; none for an answer without a body. */
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
