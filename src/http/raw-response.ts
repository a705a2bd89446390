/** Answers on the raw request, also to who still sends a body that nobody will read. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type RawResponse = {
  status: number
  type: string
  text: string
  headers?: Record<string, string>
  /**
   * Whether the rest of a body is taken from the connection and dropped, so that a client that first
   * sends everything sees the answer. Else it is not even taken: a flood pays for itself.
   */
  isRestTaken: boolean
}

/** How long a client that is refused in the middle of its body may go on sending it. */
const LINGER_MS = 500

/** Connections on which nothing more is answered: what follows there is not to be acted on either. */
const closing = new WeakSet<Socket>()

/** Whether the request came on a connection that is being closed: it is dropped unread. */
export function isClosing(request: IncomingMessage): boolean {
  if (!closing.has(request.socket)) return false
  request.resume()
  return true
}

export function endRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, text, headers = {}, isRestTaken }: RawResponse,
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
  // A connection that is closed while its client still sends is reset, and the answer lost with it:
  // it stays open for a moment.
  closing.add(request.socket)
  response.flushHeaders()
  if (sent !== '') response.write(sent)
  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  // Those of a storm are not closed, and followed by others, all at one moment.
  const timer = setTimeout(close, LINGER_MS * (isRestTaken ? 1 : 0.5 + Math.random()))
  request.once('end', close)
  request.once('close', close)
  request.once('error', close)
  if (isRestTaken) request.resume()
}
