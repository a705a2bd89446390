import type { Socket } from 'node:net'
import { BODY_LIMITS } from '../limits/doors.ts'
import { addressOf, countedAs } from './client-address.ts'

/**
 * How many connections one address may have at once: a quarter of those that the process takes, so that
 * nobody alone keeps all others out. A trusted proxy speaks for many and may have them all.
 */
export function createConnectionShare(trusted: { has(address: string): boolean }) {
  const openOf = new Map<string, number>()

  return {
    /** Counts the connection until it closes. False when its address has as many as it may. */
    admit(socket: Socket): boolean {
      const peer = addressOf(socket)
      if (trusted.has(peer)) return true
      const address = countedAs(peer)
      const open = openOf.get(address) ?? 0
      if (open >= BODY_LIMITS.connectionsOfAddress) return false
      openOf.set(address, open + 1)
      socket.once('close', () => {
        const left = openOf.get(address)! - 1
        if (left === 0) openOf.delete(address)
        else openOf.set(address, left)
      })
      return true
    },
  }
}
export type ConnectionShare = ReturnType<typeof createConnectionShare>
