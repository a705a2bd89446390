import type { IncomingMessage } from 'node:http'

/**
 * Reads the body of a request. Returns null if it is longer than `maxBytes`, of which the rest is discarded.
 * @throws Error if the client aborts.
 */
export async function readRequest(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  // An early end must leave the socket open for the answer.
  const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of parts) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses a JSON text; returns undefined for invalid JSON. */
export function readJsonBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
