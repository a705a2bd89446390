/** A merchant's receiver over HTTPS on loopback, told by each test what to answer. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import type { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'

export type ReceivedDelivery = {
  path: string
  headers: Record<string, string | undefined>
  body: Buffer
  event: WebhookEnvelope
}

export type TestReceiver = {
  url: string
  certificate: string
  /** The key and certificate of the receiver, which is its own authority. */
  authority: { key: string; cert: string }
  received: ReceivedDelivery[]
  /** What was received, of one type or of all, in the order in which it was raised. */
  events(type?: string): WebhookEnvelope[]
  /** The status of the answers from here on. */
  answerWith(status: number | ((delivery: ReceivedDelivery) => number)): void
  /** How long it takes over each answer from here on. */
  answerAfter(ms: number): void
  close(): Promise<void>
}

/** One for all receivers of a process: to make it, and to trust it, takes longer than most tests. */
let certificate: Promise<{ cert: string; private: string }> | undefined

const makeCertificate = () =>
  generate([{ name: 'commonName', value: 'test receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: '*.merchant.example' },
        ],
      },
    ],
  })

export async function startTestReceiver(): Promise<TestReceiver> {
  const made = await (certificate ??= makeCertificate())
  const received: ReceivedDelivery[] = []
  let status: number | ((delivery: ReceivedDelivery) => number) = 204
  let answerMs = 0
  const server = createServer({ cert: made.cert, key: made.private }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const delivery: ReceivedDelivery = {
        path: request.url ?? '',
        headers: request.headers as Record<string, string | undefined>,
        body,
        event: JSON.parse(body.toString('utf8')) as WebhookEnvelope,
      }
      received.push(delivery)
      const given = typeof status === 'number' ? status : status(delivery)
      if (answerMs === 0) response.writeHead(given).end()
      else setTimeout(() => response.writeHead(given).end(), answerMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    certificate: made.cert,
    authority: { key: made.private, cert: made.cert },
    received,
    events: (type) =>
      received
        .map(({ event }) => event)
        .filter((event) => type === undefined || event.type === type)
        // Several are delivered at a time, and arrive as it happens; ids are made in order.
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    answerWith(next) {
      status = next
    },
    answerAfter(ms) {
      answerMs = ms
    },
    close: () => closeServer(server),
  }
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
