import type { BornDelivery } from '../database/commit-notes.ts'
import { DELIVERY_ENGINE } from '../limits/deliveries.ts'

/**
 * Deliveries that wait in memory for their attempt, right after the commit that wrote them. Companies
 * take turns, so that one delivery of a company is never behind all of another's.
 */
export function createWaitingInMemory() {
  /** The first is whose turn it is. */
  const byCompany = new Map<string, BornDelivery[]>()
  /** Waiting, or reserved by a transaction that is under way. */
  let held = 0
  let bytes = 0

  function next(): BornDelivery | undefined {
    const [turn] = byCompany
    if (!turn) return undefined
    const [companyId, waiting] = turn
    const delivery = waiting.shift()!
    byCompany.delete(companyId)
    if (waiting.length > 0) byCompany.set(companyId, waiting)
    held -= 1
    bytes -= delivery.body.length
    return delivery
  }

  return {
    /** How many of so many there is room for; they are held until they are taken. */
    reserve(most: number): number {
      const isFull = bytes >= DELIVERY_ENGINE.handedOverBytes
      const room = isFull ? 0 : Math.min(most, DELIVERY_ENGINE.handedOver - held)
      held += room
      return room
    },
    take(reserved: number, deliveries: readonly BornDelivery[]): void {
      held += deliveries.length - reserved
      for (const delivery of deliveries) {
        const waiting = byCompany.get(delivery.companyId)
        if (waiting) waiting.push(delivery)
        else byCompany.set(delivery.companyId, [delivery])
        bytes += delivery.body.length
      }
    },
    next,
    isEmpty: () => byCompany.size === 0,
    /** All that waits; nothing is left. */
    empty(): BornDelivery[] {
      const all: BornDelivery[] = []
      for (let one = next(); one; one = next()) all.push(one)
      return all
    },
  }
}
