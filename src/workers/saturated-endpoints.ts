/**
 * The endpoints and accounts for whose places deliveries wait in their lanes. A claim is made when the end of an
 * attempt lets something begin, and not at each.
 */
import type { Crowded } from '../infra/database/after-commit.ts'

export type SaturatedEndpoints = {
  /** An attempt of these is under way, or waits for it in memory. */
  begin(attempted: Crowded): void
  end(attempted: Crowded): void
  /** Something waits for these, which the transaction of a new delivery has found. */
  waits(waiting: readonly Crowded[]): void
  /** A claim begins to look; `isAnew`: at all that waits, so that what was known before counts no more. */
  looks(isAnew: boolean): void
  /** Something waits for these ids, which that claim has found; of those whose attempt ended meanwhile it may not know. */
  found(ids: readonly string[]): void
}

/** @param onRoom is told when something that waits may begin. */
export function createSaturatedEndpoints(onRoom: () => void): SaturatedEndpoints {
  const waitsFor = new Set<string>()
  const endedMeanwhile = new Set<string>()
  let isLooking = false
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
      else if (isLooking) endedMeanwhile.add(endpointId).add(accountId)
    },
    waits(waiting) {
      for (const { endpointId, accountId } of waiting) waitsFor.add(endpointId).add(accountId)
      // Other nodes hold these places, so no attempt that ends here tells that one is free.
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
