import type { EagerDelivery } from '../infra/database/after-commit.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'
import { createTurns } from './turns.ts'

/**
 * Creates the queue of deliveries that wait in memory after their commit. Accounts, and companies within them, take
 * turns (round-robin), so that a large account delays no other.
 */
export function createWaitingInMemory() {
  const turns = createTurns<EagerDelivery[]>((waiting) => waiting.length === 0)
  /** Deliveries that wait or are reserved by an open transaction. */
  let held = 0
  let bytes = 0

  function next(): EagerDelivery | undefined {
    const delivery = turns.next((waiting) => waiting.shift()!)
    if (!delivery) return undefined
    held -= 1
    bytes -= delivery.body.length
    return delivery
  }

  return {
    /** Reserves slots for at most `limit` deliveries, until they are taken. Returns how many. */
    reserve(limit: number): number {
      const isFull = bytes >= DELIVERY_ENGINE.handedOverBytes
      const room = isFull ? 0 : Math.min(limit, DELIVERY_ENGINE.handedOver - held)
      held += room
      return room
    },
    take(reserved: number, deliveries: readonly EagerDelivery[]): void {
      held += deliveries.length - reserved
      for (const delivery of deliveries) {
        turns.of(delivery.accountId, delivery.companyId, () => []).push(delivery)
        bytes += delivery.body.length
      }
    },
    next,
    isEmpty: turns.isEmpty,
    /** All that waits; nothing is left. */
    empty(): EagerDelivery[] {
      const all: EagerDelivery[] = []
      for (let one = next(); one; one = next()) all.push(one)
      return all
    },
  }
}
