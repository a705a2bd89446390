/**
 * Ends connections before the service stops. After `begin`, every response says `Connection: close`, so that the
 * client or proxy sends its next request to another node. Requests that were accepted before are answered. Work that
 * goes on without its connection is finished: a request whose client has gone, or what follows a response.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The graceful end of connections at a stop. */
export type Draining = ReturnType<typeof createDraining>

/** Creates the graceful end of connections at a stop: requests in progress finish, and new ones are refused. */
export function createDraining() {
  /** The response that is sent last, for each connection with requests in progress. */
  const lastOf = new Map<Socket, ServerResponse>()
  /** Connections whose last response announces their end: requests that follow it must not be handled. */
  const ending = new WeakSet<Socket>()
  const open = new Set<Socket>()
  let isDraining = false
  let worksInProgress = 0
  /** Set once the end of the work is awaited. */
  let whenIdle: (() => void) | null = null

  function endWith(socket: Socket, response: ServerResponse): void {
    // A response whose headers are sent has promised to keep the connection open: the next request on it is still
    // answered.
    if (response.headersSent) return
    response.shouldKeepAlive = false
    ending.add(socket)
  }

  return {
    /** Records a new connection until it is closed. */
    connected(socket: Socket): void {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    },
    /** Returns whether the request may be handled. */
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
    /** Records work until it ends or fails. Its caller handles the failure. */
    track(work: Promise<unknown>): void {
      const end = () => {
        worksInProgress -= 1
        if (worksInProgress === 0) whenIdle?.()
      }
      worksInProgress += 1
      work.then(end, end)
    },
    /** Resolves when no recorded work is in progress. */
    idle(): Promise<void> {
      return new Promise((resolve) => {
        if (worksInProgress === 0) resolve()
        else whenIdle = resolve
      })
    },
    /** Begins the end: every response from now on closes its connection. */
    begin(): void {
      isDraining = true
      for (const [socket, response] of lastOf) endWith(socket, response)
    },
    /** Closes connections that have no request in progress, also those that never sent one or sent a part of one. */
    closeUnused(): void {
      for (const socket of open) if (!lastOf.has(socket)) socket.destroySoon()
    },
  }
}
