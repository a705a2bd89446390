import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { KeyPair } from './certificates.ts'

export type ReceivedRequest = {
  line: string
  path: string
  headers: Record<string, string>
  headerLines: string[]
  body: Buffer
}

/** Writes any bytes at any time: a faulty server is a function of a path. */
export type Answer = (socket: TLSSocket, request: ReceivedRequest) => void

export type Receiver = Awaited<ReturnType<typeof createReceiver>>

/** Creates an HTTPS server on raw sockets, on loopback, that gives the answer of each path. */
export async function createReceiver(
  pair: KeyPair,
  answers: Record<string, Answer>,
  address = '127.0.0.1',
) {
  const sockets = new Set<TLSSocket>()
  const server = createServer({ key: pair.key, cert: pair.cert }, (socket) => {
    sockets.add(socket)
    receiver.connections++
    receiver.maxOpen = Math.max(receiver.maxOpen, ++receiver.open)
    receiver.closed.push(
      new Promise((resolve) =>
        socket.once('close', () => {
          sockets.delete(socket)
          receiver.open--
          resolve()
        }),
      ),
    )
    socket.on('error', () => undefined)
    let received: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      for (let next = readRequest(received); next; next = readRequest(received)) {
        received = next.rest
        receiver.requests.push(next.request)
        answers[next.request.path]?.(socket, next.request)
      }
    })
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  const receiver = {
    port,
    connections: 0,
    /** Connections open now, and the most that were ever open together. */
    open: 0,
    maxOpen: 0,
    requests: [] as ReceivedRequest[],
    closed: [] as Promise<void>[],
    url: (path: string, host = 'receiver.example') => `https://${host}:${port}${path}`,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return receiver
}

function readRequest(bytes: Buffer): { request: ReceivedRequest; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [line = '', ...headerLines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const header of headerLines) {
    const colon = header.indexOf(':')
    headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim()
  }
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < bodyEnd) return null
  const body = bytes.subarray(end + 4, bodyEnd)
  const path = line.split(' ')[1] ?? ''
  return { request: { line, path, headers, headerLines, body }, rest: bytes.subarray(bodyEnd) }
}

/** Returns a plain answer with a length; the connection stays open. */
export const reply =
  (status: string, body: string | Buffer = '', headers: string[] = []): Answer =>
  (socket) => {
    const bytes = Buffer.from(body as string)
    const lines = [`HTTP/1.1 ${status}`, ...headers, `content-length: ${bytes.length}`, '', '']
    socket.write(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bytes]))
  }

const asked = new WeakMap<TLSSocket, number>()
/** Returns one answer for the first request over a connection, and another for the next. */
export const firstThen =
  (first: Answer, then: Answer): Answer =>
  (socket, request) => {
    const times = (asked.get(socket) ?? 0) + 1
    asked.set(socket, times)
    return (times === 1 ? first : then)(socket, request)
  }

/** Writes `piece` again and again until the other side closes. */
export function drip(socket: TLSSocket, everyMs: number, piece: string | Buffer): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.once('close', () => clearInterval(timer))
}
