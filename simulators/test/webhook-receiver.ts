import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One POST as it came in; `json` is its body read. */
export type Received = { headers: Record<string, unknown>; rawBody: Buffer; json: WebhookBody }

export type WebhookBody = {
  object: string
  entry: { id: string; changes: { field: string; value: WebhookValue }[] }[]
}

/** What the tests look into; the rest is compared as it is. */
type WebhookValue = {
  metadata: unknown
  contacts: [{ user_id: string }]
  messages?: (Record<string, unknown> & { type: string; text: { body: string } })[]
  statuses?: StatusJson[]
  message_echoes?: unknown[]
  event?: string
}

type StatusJson = Record<string, unknown> & {
  id: string
  status: string
  pricing: { category: string; billable: boolean }
}

export type WebhookReceiver = {
  url: string
  received: Received[]
  /** What the next POSTs are answered with, one after the other; 200 when there is nothing left. */
  answers: number[]
  /** The statuses received, in their order. */
  statuses: () => StatusJson[]
  /** The customers' messages received, in their order. */
  messages: () => NonNullable<WebhookValue['messages']>
  close: () => Promise<void>
}

/** The business's webhook receiver: a real server on loopback. 0 as an answer breaks off. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks)
      const json = JSON.parse(rawBody.toString('utf8')) as WebhookBody
      received.push({ headers: request.headers, rawBody, json })
      const status = answers.shift() ?? 200
      if (status === 0) {
        request.socket.destroy()
        return
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const values = () =>
    received.flatMap(({ json }) => json.entry.flatMap(({ changes }) => changes.map((c) => c.value)))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/whatsapp`,
    received,
    answers,
    statuses: () => values().flatMap((value) => value.statuses ?? []),
    messages: () => values().flatMap((value) => value.messages ?? []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
