/**
 * How connections end before the service stops: from `begin` on every answer says `Connection: close`, so that its
 * client or proxy sends the next request elsewhere. What was taken in by then is answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export function createDraining() {
  /** Of each connection with requests under way, the answer that comes last. */
  const lastOf = new Map<Socket, ServerResponse>()
  /** Their last answer says that no other follows: what comes behind it is not to be acted on. */
  const ending = new WeakSet<Socket>()
  let isDraining = false

  function endWith(socket: Socket, response: ServerResponse): void {
    // Whose head is out already has promised more: the next request there is still answered.
    if (response.headersSent) return
    response.shouldKeepAlive = false
    ending.add(socket)
  }

  return {
    /** Returns whether the request is to be acted on. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      const { socket } = request
      if (ending.has(socket)) {
        request.resume()
        return false
      }
      lastOf.set(socket, response)
      response.once('close', () => {
        if (lastOf.get(socket) === response) lastOf.delete(socket)
      })
      if (isDraining) endWith(socket, response)
      return true
    },
    begin(): void {
      isDraining = true
      for (const [socket, response] of lastOf) endWith(socket, response)
    },
  }
}
