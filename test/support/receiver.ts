/** A merchant's receiver over HTTPS on loopback, whose responses each test sets. */
import { createServer } from 'node:https'
import { generate } from 'selfsigned'
import type { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { listenLocally, withBody } from './local-server.ts'

export type ReceivedDelivery = {
  path: string
  headers: Record<string, string | undefined>
  body: Buffer
  event: WebhookEnvelope
}

/** One authority for all receivers of a process: to make it, and to trust it, takes longer than most tests. */
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

export type TestReceiver = Awaited<ReturnType<typeof startTestReceiver>>

export async function startTestReceiver() {
  const made = await (certificate ??= makeCertificate())
  const received: ReceivedDelivery[] = []
  let status: number | ((delivery: ReceivedDelivery) => number) = 204
  let answerMs = 0
  // The key and certificate of the receiver, which is its own authority.
  const authority = { key: made.private, cert: made.cert }
  const answer = withBody(({ url = '', headers }, response, body) => {
    const delivery: ReceivedDelivery = {
      path: url,
      headers: headers as Record<string, string | undefined>,
      body,
      event: JSON.parse(body.toString('utf8')) as WebhookEnvelope,
    }
    received.push(delivery)
    const given = typeof status === 'number' ? status : status(delivery)
    if (answerMs === 0) response.writeHead(given).end()
    else setTimeout(() => response.writeHead(given).end(), answerMs)
  })
  const { port, close } = await listenLocally(createServer(authority, answer))
  return {
    url: `https://127.0.0.1:${port}/events`,
    certificate: made.cert,
    authority,
    received,
    /** Returns the received events, of one type or of all, in the order in which they were raised. */
    events: (type?: string) =>
      received
        .map(({ event }) => event)
        .filter((event) => type === undefined || event.type === type)
        // Several are delivered at a time, and arrive as it happens; ids are made in order.
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    /** Sets the status of the responses from now on. */
    answerWith(next: typeof status) {
      status = next
    },
    /** Sets how long each response takes from now on. */
    answerAfter(ms: number) {
      answerMs = ms
    },
    close,
  }
}
