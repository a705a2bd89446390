/**
 * A slow model with the protocol of `/v1/chat/completions`. It answers every request with the same sentence after a
 * fixed time, and records when each customer message arrived.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running server with the slow model. */
export type SlowModel = {
  /** The base URL, which ends with `/v1`. */
  baseUrl: string
  /** Arrival of the request by the mark of its newest customer message, in ms since 1970. */
  requestedAt: Map<string, number>
  waiting(): number
  requests(): number
  /** Stops answering until the returned function is called. */
  hold(): () => void
  close(): Promise<void>
}

/** The pattern of the marks in the customers' messages. */
export const MARK = /Q\d+Q/g
const ANSWER = 'نعم، التوصيل داخل المدينة خلال يومين إلى ثلاثة أيام عمل.'

/** Starts the model's server. Each answer takes `answersAfterMs`. */
export async function startSlowModel(answersAfterMs: number): Promise<SlowModel> {
  const requestedAt = new Map<string, number>()
  let waiting = 0
  let requests = 0
  let held: Promise<void> | null = null
  const body = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'slow',
    choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1_200, completion_tokens: 30, total_tokens: 1_230 },
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const at = Date.now()
    requests += 1
    waiting += 1
    const mark = Buffer.concat(parts).toString('utf8').match(MARK)?.at(-1)
    if (mark !== undefined) requestedAt.set(mark, at)
    await Promise.all([new Promise((end) => setTimeout(end, answersAfterMs)), held])
    waiting -= 1
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    // The client has disconnected.
    answer(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2_048, resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requestedAt,
    waiting: () => waiting,
    requests: () => requests,
    hold() {
      let release = () => {}
      held = new Promise((resolve) => (release = resolve))
      return () => {
        held = null
        release()
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
