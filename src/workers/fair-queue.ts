import type { EagerDelivery } from '../infra/database/after-commit.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'
import { createRoundRobin } from './round-robin.ts'

/**
 * Creates the queue of deliveries that wait in memory after their commit. Accounts, and companies within them, take
 * turns (round-robin), so that a large account delays no other.
 */
export function createFairQueue() {
  const roundRobin = createRoundRobin<EagerDelivery[]>((waiting) => waiting.length === 0)
  /** Deliveries that wait or are reserved by an open transaction. */
  let held = 0
  let bytes = 0

  function next(): EagerDelivery | undefined {
    const delivery = roundRobin.next((waiting) => waiting.shift()!)
    if (!delivery) return undefined
    held -= 1
    bytes -= delivery.body.length
    return delivery
  }

  return {
    /** Reserves space for at most `limit` deliveries until `take`. Returns the reserved number. */
    reserve(limit: number): number {
      const isFull = bytes >= DELIVERY_ENGINE.eagerBytes
      const room = isFull ? 0 : Math.min(limit, DELIVERY_ENGINE.eagerDeliveries - held)
      held += room
      return room
    },
    /** Ends a reservation and adds its deliveries, which may be fewer than reserved. */
    take(reserved: number, deliveries: readonly EagerDelivery[]): void {
      held += deliveries.length - reserved
      for (const delivery of deliveries) {
        roundRobin.of(delivery.accountId, delivery.companyId, () => []).push(delivery)
        bytes += delivery.body.length
      }
    },
    next,
    isEmpty: roundRobin.isEmpty,
    /** Removes and returns all waiting deliveries. */
    empty(): EagerDelivery[] {
      const all: EagerDelivery[] = []
      for (let one = next(); one; one = next()) all.push(one)
      return all
    },
  }
}
