/** A server on loopback in place of the provider, with answers of each test. */
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createProviderClient } from '../../src/modules/channels/provider/provider-client.ts'
import { classifyWhatsAppCode } from '../../src/modules/channels/whatsapp/errors.ts'
import type { WhatsAppConnection } from '../../src/modules/channels/whatsapp/connection.ts'

export type Seen = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

type Answer = (response: ServerResponse, seen: Seen) => void

export function connectionTo(baseUrl: string): WhatsAppConnection {
  return {
    baseUrl,
    apiVersion: 'v25.0',
    phoneNumberId: '200000000000001',
    businessAccountId: '100000000000001',
    accessToken: 'EAAG-a-secret-token',
    classifyCode: classifyWhatsAppCode,
  }
}

/** Opens a client of providers with a timeout longer than any request on loopback takes. It closes after the test. */
export const SEND_MS = 40_000
export function openClient(options: Parameters<typeof createProviderClient>[0] = {}) {
  const client = createProviderClient({ sendMs: SEND_MS, ...options })
  onTestFinished(() => client.close())
  return client
}

/** Returns a function that sends this answer. A body that is no text is sent as JSON. */
export const answerWith =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** Starts a server that answers complete requests until the test ends. `seen` lists them in their order. */
export async function startMeta(answer: Answer) {
  const seen: Seen[] = []
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      }
      seen.push(one)
      answer(response, one)
    })
  })
  const url = await listen(server)
  const stop = async () => {
    server.closeAllConnections()
    await close(server)
  }
  onTestFinished(stop)
  return { url, seen, stop }
}

/** Starts a server that passes on each complete request as bytes, with its socket, until the test ends. */
export async function startSockets(
  onRequest: (socket: Socket, text: string, count: number) => void,
) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    let waiting = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      waiting += chunk.toString()
      const [head = '', body] = waiting.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body !== undefined && Buffer.byteLength(body) >= length) {
        requests.push(waiting)
        waiting = ''
        onRequest(socket, requests.at(-1) ?? '', requests.length)
      }
    })
  })
  const url = await listen(server)
  const stop = async () => {
    for (const socket of sockets) {
      socket.destroy()
    }
    await close(server)
  }
  onTestFinished(stop)
  return { url, requests, connections: sockets }
}

export function accepted(id: string): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    contacts: [{ input: '+12025550123', wa_id: '12025550123' }],
    messages: [{ id }],
  })
}

/** Returns a complete HTTP answer as bytes. */
export function rawAnswer(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve)
  })
}
