import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'

/** A forwarded delivery. `outcome` is the status of the response, or why there was none. */
export type Forwarded = { type: string; eventId: string; outcome: string; durationMs: number }

/** Headers that belong to one connection, and are not forwarded. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'upgrade'])

/**
 * Starts an HTTPS server on this machine that forwards requests to `target` with the same headers and bytes. It answers
 * with the target's response, or with 502 when there is none, so that the target decides about retries.
 */
export async function startForwarder(
  { certificate, key }: { certificate: string; key: string },
  target: URL,
  onForwarded: (forwarded: Forwarded) => void,
): Promise<{ port: number; close(): void }> {
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > DELIVERY_LIMITS.bodyBytes) request.destroy()
      else parts.push(part)
    })
    request.on('end', () => forward(target, request, Buffer.concat(parts), response, onForwarded))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function forward(
  target: URL,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  onForwarded: (forwarded: Forwarded) => void,
): void {
  const began = performance.now()
  let isReported = false
  const report = (outcome: string) => {
    if (isReported) return
    isReported = true
    const type = String(request.headers['x-service-event'] ?? '(no event)')
    onForwarded({ type, eventId: readId(body), outcome, durationMs: performance.now() - began })
  }
  const headers = ['Host', target.host, ...withoutHops(request.rawHeaders)]
  const forwarded = sendRequest(target, { method: request.method!, headers, agent: false })
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode!, withoutHops(answer.rawHeaders))
    answer.pipe(response)
    answer.on('end', () => report(String(answer.statusCode)))
    answer.on('error', () => {
      report('broke off its answer')
      response.destroy()
    })
  })
  forwarded.on('error', (error: NodeJS.ErrnoException) => {
    report(`no answer (${error.code ?? error.message})`)
    if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
    response.end(`npm run listen: no answer from ${target.href}`)
  })
  response.on('close', () => {
    if (response.writableFinished) return
    report('no answer in time: the service has given up this attempt')
    forwarded.destroy()
  })
  forwarded.end(body)
}

/** Returns the raw headers, names and values alternating, without those of one connection. */
function withoutHops(rawHeaders: readonly string[]): string[] {
  const forwarded: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!, rawHeaders[at + 1]!]
    if (!HOP_BY_HOP.has(name.toLowerCase())) forwarded.push(name, value)
  }
  return forwarded
}

/** Returns the event's id from a body, for the printed line. */
function readId(body: Buffer): string {
  return /"id":"(evt_[0-9a-f]{32})"/.exec(body.toString('latin1'))?.[1] ?? '(no id)'
}
