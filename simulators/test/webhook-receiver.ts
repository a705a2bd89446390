import { serveLocally } from '../../test/support/local-server.ts'

/** One POST as it was received; `json` is its parsed body. */
export type Received = { headers: Record<string, unknown>; rawBody: Buffer; json: WebhookBody }

/** The body of a webhook. */
export type WebhookBody = {
  object: string
  entry: { id: string; changes: { field: string; value: WebhookValue }[] }[]
}

/** The parts that tests read. The rest is compared as a whole. */
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

/** Starts the business's webhook receiver, a real server on loopback. The answer 0 aborts the connection. */
export async function startWebhookReceiver(port = 0) {
  const received: Received[] = []
  /** Statuses for the next POSTs, in order; 200 when none is left. */
  const answers: number[] = []
  const { url, close } = await serveLocally(({ headers, socket }, response, rawBody) => {
    received.push({ headers, rawBody, json: JSON.parse(rawBody.toString('utf8')) as WebhookBody })
    const status = answers.shift() ?? 200
    if (status === 0) socket.destroy()
    else response.writeHead(status).end()
  }, port)
  const values = () =>
    received.flatMap(({ json }) => json.entry.flatMap(({ changes }) => changes.map((c) => c.value)))
  return {
    url: `${url}/webhooks/whatsapp`,
    received,
    answers,
    statuses: () => values().flatMap((value) => value.statuses ?? []),
    /** The customers' messages received, in their order. */
    messages: () => values().flatMap((value) => value.messages ?? []),
    close,
  }
}
