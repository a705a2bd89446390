/** A merchant's receiver over HTTPS on loopback, told by each test what to answer. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import type { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'

export type ReceivedDelivery = {
  headers: Record<string, string | undefined>
  body: Buffer
  event: WebhookEnvelope
}

export type TestReceiver = {
  url: string
  certificate: string
  received: ReceivedDelivery[]
  events(type: string): WebhookEnvelope[]
  /** The status of the answers from here on. */
  answerWith(status: number): void
  close(): Promise<void>
}

export async function startTestReceiver(): Promise<TestReceiver> {
  const made = await generate([{ name: 'commonName', value: 'test receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  const received: ReceivedDelivery[] = []
  let status = 204
  const server = createServer({ cert: made.cert, key: made.private }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      received.push({
        headers: request.headers as Record<string, string | undefined>,
        body,
        event: JSON.parse(body.toString('utf8')) as WebhookEnvelope,
      })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    certificate: made.cert,
    received,
    events: (type) =>
      received.map((delivery) => delivery.event).filter((event) => event.type === type),
    answerWith(next) {
      status = next
    },
    close: () => closeServer(server),
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
