import type { Socket } from 'node:net'
import { BODY_LIMITS } from '../core/limits/http.ts'
import { addressOf, countedAs } from './client-address.ts'
import { createPoolShare } from './pool-share.ts'

/**
 * How many connections one address may have at once: a quarter of those that the process takes beside
 * visitors' streams, so that nobody alone keeps all others out. A trusted proxy speaks for many and may have them all.
 */
export function createConnectionShare(trusted: { has(address: string): boolean }) {
  const open = createPoolShare(BODY_LIMITS.connectionsOfAddress)
  /** Of connections that are counted: what is to be done when one is counted no more. */
  const counted = new WeakMap<Socket, () => void>()
  let inAll = 0

  function leave(socket: Socket): void {
    const uncount = counted.get(socket)
    counted.delete(socket)
    uncount?.()
  }

  return {
    /**
     * Counts the connection until it closes. False when its address, or the process, has as many as it
     * may.
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
    /** Whether the process has as many as it takes, of whatever address. */
    isFull: () => inAll >= BODY_LIMITS.connections,
    /** The connection carries a visitor's stream for long, and is counted where those are. */
    setAside: leave,
  }
}
export type ConnectionShare = ReturnType<typeof createConnectionShare>
