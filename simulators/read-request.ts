import type { IncomingMessage } from 'node:http'

/**
 * The body of a request; null when it is longer than `mostBytes` (the rest is not kept).
 * @throws Error when the client breaks off.
 */
export async function readRequest(
  request: IncomingMessage,
  mostBytes: number,
): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  // An early end must leave the socket open for the answer.
  const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of parts) {
    bytes += chunk.length
    if (bytes > mostBytes) {
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A JSON text read; undefined when it is none. */
export function readJsonBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
