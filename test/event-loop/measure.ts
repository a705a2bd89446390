/** The time for which one request blocks the event loop of a service in another process. */
import { request } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export type Asked = {
  route: string
  what: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export type Blocked = { route: string; what: string; ms: number; status: number }

/** The time for which a stream is read. */
const READ_FOR_MS = 20_000

let address = 0

/** Sends a request from a new address. Returns the status of the answer, 0 if the connection was closed. */
export async function send(
  origin: string,
  { method, path, headers, body }: Asked,
): Promise<number> {
  address += 1
  const url = new URL(origin)
  const sent = request({
    host: url.hostname,
    port: url.port,
    method,
    path,
    headers: {
      'x-forwarded-for': `198.${20 + (address >> 16)}.${(address >> 8) & 255}.${address & 255}`,
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
    agent: false,
  })
  sent.on('error', () => {})
  sent.end(body)
  const closed = new Promise((resolve) => sent.once('close', resolve))
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.on('error', () => {})
    response.resume()
    if (path.includes('/live') || path.includes('/events')) response.destroy()
    const late = setTimeout(() => response.destroy(), READ_FOR_MS)
    await once(response, 'close')
    clearTimeout(late)
    return response.statusCode!
  } catch {
    await closed
    return 0
  }
}

/**
 * Returns the longest stretch of processor time that the service spent on this request alone. If that is long, the
 * shortest of some tries counts: a real block occurs each time, garbage collection and compilation do not.
 */
export async function measureBlocked(
  service: { ask(): Promise<string> },
  origin: string,
  asked: Asked,
  { maxMs, tries = 10 }: { maxMs: number; tries?: number },
): Promise<Blocked> {
  let min = Infinity
  let status = 0
  for (let nth = 0; nth < tries && min > maxMs; nth += 1) {
    await service.ask()
    status = await send(origin, asked)
    await pause(8)
    const { busiestMs } = JSON.parse(await service.ask()) as { busiestMs: number }
    min = Math.min(min, busiestMs)
  }
  return { route: asked.route, what: asked.what, ms: min, status }
}
