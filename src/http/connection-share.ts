import type { Socket } from 'node:net'
import { BODY_LIMITS } from '../limits/doors.ts'
import { addressOf, countedAs } from './client-address.ts'

/**
 * How many connections one address may have at once: a quarter of those that the process takes beside
 * visitors' streams, so that nobody alone keeps all others out. A trusted proxy speaks for many and may have them all.
 */
export function createConnectionShare(trusted: { has(address: string): boolean }) {
  const openOf = new Map<string, number>()
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
      const open = address === null ? 0 : (openOf.get(address) ?? 0)
      if (open >= BODY_LIMITS.connectionsOfAddress) return false
      inAll += 1
      if (address !== null) openOf.set(address, open + 1)
      counted.set(socket, () => {
        inAll -= 1
        if (address === null) return
        const left = openOf.get(address)! - 1
        if (left === 0) openOf.delete(address)
        else openOf.set(address, left)
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
