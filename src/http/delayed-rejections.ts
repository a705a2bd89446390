import type { IncomingMessage, ServerResponse } from 'node:http'
import { BODY_LIMITS } from '../core/limits/http.ts'

/**
 * Refusals that cost nothing to tell, told late: who sends the next request as soon as this one is
 * answered sends so much less. Only so many wait at once, so that they never take all connections of the
 * process; the next are told at once.
 */
export function createDelayedRejections() {
  let waiting = 0

  return (request: IncomingMessage, response: ServerResponse, tell: () => void): void => {
    if (response.destroyed) return
    if (waiting >= BODY_LIMITS.lateRefusals) return tell()
    waiting += 1
    dropWhatCame(request)
    // Those of a storm are not answered all at one moment.
    const timer = setTimeout(
      () => {
        leave()
        tell()
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

/** What came with the head is not held while its sender waits, and no more is taken from the connection. */
function dropWhatCame(request: IncomingMessage): void {
  request.socket.pause()
  // Who reads a stream makes it fetch more.
  Object.assign(request, { _read() {} })
  // What is in hand when the head is complete comes just after it.
  setImmediate(() => request.read())
}
