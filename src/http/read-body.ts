import type { IncomingMessage } from 'node:http'

/**
 * Reads a body of at most `limit` bytes on the wire, with or without a `Content-Length`; stops
 * reading at the limit.
 * @throws when the client breaks off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too_large'> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit) return Promise.resolve('too_large')
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > limit) {
        request.pause()
        request.removeAllListeners('data')
        resolve('too_large')
        return
      }
      parts.push(part)
    })
    request.on('end', () => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('the client broke off'))
    })
  })
}
