/**
 * The endpoints and accounts for whose places deliveries wait in their lanes. A claim is made when the end of an
 * attempt lets something begin, and not at each.
 */
import type { Crowded } from '../database/commit-notes.ts'

export type CrowdedPlaces = {
  /** An attempt of these is under way, or waits for it in memory. */
  begin(attempted: Crowded): void
  end(attempted: Crowded): void
  /** Something waits for these, which the transaction of a new delivery has found. */
  waits(waiting: readonly Crowded[]): void
  /** Something waits for these ids, which a claim has found. */
  found(ids: readonly string[]): void
  clear(): void
}

/** @param onRoom is told when something that waits may begin. */
export function createCrowdedPlaces(onRoom: () => void): CrowdedPlaces {
  const waitsFor = new Set<string>()
  /** By account, what is attempted here or waits for it in memory. */
  const underWayOf = new Map<string, number>()
  return {
    begin({ accountId }) {
      underWayOf.set(accountId, (underWayOf.get(accountId) ?? 0) + 1)
    },
    end({ endpointId, accountId }) {
      const left = underWayOf.get(accountId)! - 1
      if (left > 0) underWayOf.set(accountId, left)
      else underWayOf.delete(accountId)
      if (waitsFor.has(endpointId) || waitsFor.has(accountId)) onRoom()
    },
    waits(waiting) {
      for (const { endpointId, accountId } of waiting) waitsFor.add(endpointId).add(accountId)
      // Other nodes hold these places, so no attempt that ends here tells that one is free.
      if (waiting.some(({ accountId }) => !underWayOf.has(accountId))) onRoom()
    },
    found(ids) {
      for (const id of ids) waitsFor.add(id)
    },
    clear: () => waitsFor.clear(),
  }
}
