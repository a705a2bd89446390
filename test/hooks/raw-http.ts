/** Sends bytes to a server as no client library would, and collects the responses. */
import { connect, type Socket } from 'node:net'
import { startStopwatch } from '../support/stopwatch.ts'

export type RawResponse = { status: number; head: string; body: string }

export type Conversation = {
  responses: RawResponse[]
  text: string
  tookMs: number
  /** Milliseconds without those in which other processes had the processor. */
  ownMs: number
}

/** Writes to a new connection and collects all that the server says until it closes it. */
export function talk(
  url: string,
  write: string | Buffer | ((socket: Socket) => void),
): Promise<Conversation> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const began = performance.now()
    const ownMs = startStopwatch()
    const parts: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.on('data', (part) => parts.push(part))
    // A reset ends the connection too: the bytes before it count.
    socket.on('error', () => {})
    socket.on('close', () => {
      const text = Buffer.concat(parts).toString('latin1')
      const tookMs = performance.now() - began
      resolve({ responses: split(text), text, tookMs, ownMs: ownMs() })
    })
    if (typeof write === 'function') write(socket)
    else socket.write(write)
  })
}

/** Returns one request as text. `Content-Length` is the body's unless the headers say otherwise. */
export function requestText(
  path: string,
  {
    method = 'POST',
    body = '',
    headers = {},
    isLast = false,
  }: {
    method?: string
    body?: string
    headers?: Record<string, string>
    isLast?: boolean
  } = {},
): string {
  const all: Record<string, string> = {
    host: 'shop.example',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...(isLast ? { connection: 'close' } : {}),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Splits what came back into whole responses; `100 Continue` is one without a body. */
function split(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`not a response: ${rest}`)
    const head = rest.slice(0, end)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    // Node's own refusals have no length: an empty last chunk ends them.
    const isChunked = /^transfer-encoding: chunked/im.test(head)
    const length = isChunked
      ? '0\r\n\r\n'.length
      : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    responses.push({ status, head, body })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}
