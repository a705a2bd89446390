/**
 * The endpoints and accounts for whose slots deliveries wait. A claim is made when the end of an attempt lets one of
 * them begin, and not at each end.
 */
import type { Crowded } from '../infra/database/after-commit.ts'

export type SaturatedEndpoints = {
  /** Counts an attempt that is in progress or waits in memory. */
  begin(attempted: Crowded): void
  end(attempted: Crowded): void
  /** Marks endpoints for which the transaction of a new delivery found no slot. */
  waits(waiting: readonly Crowded[]): void
  /** Begins a claim. `isAnew`: it reads all waiting deliveries, so that earlier findings are discarded. */
  looks(isAnew: boolean): void
  /** Marks endpoints of waiting deliveries that the claim found, except those whose attempt ended meanwhile. */
  found(ids: readonly string[]): void
}

/** Creates the registry of saturated endpoints. @param onRoom runs when a waiting delivery may begin. */
export function createSaturatedEndpoints(onRoom: () => void): SaturatedEndpoints {
  const waitsFor = new Set<string>()
  const endedMeanwhile = new Set<string>()
  let isLooking = false
  /** Attempts in progress or waiting in memory, by account. */
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
      else if (isLooking) endedMeanwhile.add(endpointId).add(accountId)
    },
    waits(waiting) {
      for (const { endpointId, accountId } of waiting) waitsFor.add(endpointId).add(accountId)
      // Other nodes use these slots, so no attempt that ends here frees one.
      if (waiting.some(({ accountId }) => !underWayOf.has(accountId))) onRoom()
    },
    looks(isAnew) {
      if (isAnew) waitsFor.clear()
      isLooking = true
    },
    found(ids) {
      isLooking = false
      for (const id of ids) waitsFor.add(id)
      if (ids.some((id) => endedMeanwhile.has(id))) onRoom()
      endedMeanwhile.clear()
    },
  }
}
