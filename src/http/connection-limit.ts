import type { Socket } from 'node:net'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { addressOf, countedAs } from './client-address.ts'
import { createPoolShare } from './pool-share.ts'

/**
 * Creates the limit of concurrent connections for each address: a quarter of those that the process accepts besides
 * visitors' streams, so that no single client can exclude all others. A trusted proxy speaks for many clients and may
 * have them all.
 */
export function createConnectionShare(trusted: { has(address: string): boolean }) {
  const open = createPoolShare(BODY_LIMITS.connectionsOfAddress)
  /** Functions that end the counting of a connection. */
  const counted = new WeakMap<Socket, () => void>()
  let inAll = 0

  function leave(socket: Socket): void {
    const uncount = counted.get(socket)
    counted.delete(socket)
    uncount?.()
  }

  return {
    /**
     * Counts the connection until it closes. Returns false when its address, or the process, has reached the limit.
     */
    admit(socket: Socket): boolean {
      if (inAll >= BODY_LIMITS.connections) return false
      const peer = addressOf(socket)
      const address = trusted.has(peer) ? null : countedAs(peer)
      if (address !== null && !open.hasRoom(address, 1)) return false
      inAll += 1
      if (address !== null) open.add(address, 1)
      counted.set(socket, () => {
        inAll -= 1
        if (address !== null) open.add(address, -1)
      })
      socket.once('close', () => leave(socket))
      return true
    },
    /** Returns whether the process has reached its limit over all addresses. */
    isFull: () => inAll >= BODY_LIMITS.connections,
    /** Counts a connection no longer: it now carries a visitor's stream, which has a separate limit. */
    stopCounting: leave,
  }
}
export type ConnectionShare = ReturnType<typeof createConnectionShare>
