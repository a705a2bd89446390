import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY_LIMITS } from '../core/limits/http.ts'

/**
 * Creates a function that delays refusals: a client that sends its next request only after a response then sends
 * fewer. At most `lateRefusals` responses wait at a time, so that they never use all connections; others are sent
 * immediately.
 */
export function createDelayedRejections() {
  let waiting = 0

  return (request: IncomingMessage, response: ServerResponse, respond: () => void): void => {
    if (response.destroyed) return
    if (waiting >= BODY_LIMITS.lateRefusals) return respond()
    waiting += 1
    dropReceivedBytes(request)
    // The delay is random, so that the refusals of a burst are not all sent at the same moment.
    const timer = setTimeout(
      () => {
        leave()
        respond()
      },
      BODY_LIMITS.refusalMs * (0.5 + Math.random()),
    )
    function leave() {
      clearTimeout(timer)
      response.off('close', leave)
      waiting -= 1
    }
    response.once('close', leave)
  }
}

/** Drops the bytes that arrived with the head, and reads no more from the connection while its sender waits. */
function dropReceivedBytes(request: IncomingMessage): void {
  request.socket.pause()
  // Pausing is not enough: reading a stream makes Node fetch more.
  Object.assign(request, { _read() {} })
  // Bytes that Node has already received arrive just after the complete head.
  setImmediate(() => request.read())
}
