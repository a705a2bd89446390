/** Responses to raw requests, also while the client still sends a body that will not be read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A whole response. */
export type RawResponse = {
  status: number
  type: string
  text: string
  headers?: Record<string, string>
  /**
   * True when the rest of a body is read and dropped, so that a client that first sends everything sees the response.
   * False leaves it unread, so that a flood costs only its sender.
   */
  readsRest: boolean
}

/** The time in ms that a refused client may continue to send its body. */
const LINGER_MS = 500

/** Connections that accept no more requests: those that follow must not be handled. */
const closing = new WeakSet<Socket>()

/** Drops a request on a connection that is being closed. Returns whether it did. */
export function dropIfClosing(request: IncomingMessage): boolean {
  if (!closing.has(request.socket)) return false
  request.resume()
  return true
}

/** Sends a whole response, unless one has begun. If a body still arrives, the connection stays open briefly. */
export function endRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, text, headers = {}, readsRest }: RawResponse,
): void {
  if (response.destroyed || response.headersSent) return
  const body = Buffer.from(text)
  response.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
    // A body that was not read to its end cannot be followed by another request.
    ...(request.complete ? {} : { connection: 'close' }),
  })
  const sent = request.method === 'HEAD' ? '' : body
  if (request.complete) {
    response.end(sent)
    return
  }
  // Closing a connection while its client still sends resets it, and the response is lost. So the connection stays
  // open for a moment.
  closing.add(request.socket)
  response.flushHeaders()
  if (sent !== '') response.write(sent)
  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  // The delay is random, so that the connections of a burst are not all closed, and replaced, at the same moment.
  const timer = setTimeout(close, LINGER_MS * (readsRest ? 1 : 0.5 + Math.random()))
  request.once('end', close)
  request.once('close', close)
  request.once('error', close)
  if (readsRest) request.resume()
}
