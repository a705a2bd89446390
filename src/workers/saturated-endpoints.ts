/**
 * The endpoints and accounts for whose slots deliveries wait. A claim is made when the end of an attempt lets one of
 * them begin, and not at each end.
 */
import type { SaturatedEndpoint } from '../infra/database/after-commit.ts'

/** The registry of endpoints and accounts whose slots are all in use. */
export type SaturatedEndpoints = {
  /** Counts an attempt that is in progress or waits in memory. */
  begin(attempted: SaturatedEndpoint): void
  /** Counts the end of an attempt, and reports it if deliveries wait for its slot. */
  end(attempted: SaturatedEndpoint): void
  /** Marks endpoints for which the transaction of a new delivery found no slot. */
  waits(waiting: readonly SaturatedEndpoint[]): void
  /** Begins a claim. With `isFirstPart` a new round begins, so earlier findings are discarded. */
  looks(isFirstPart: boolean): void
  /** Marks endpoints of waiting deliveries that the claim found, except those whose attempt ended meanwhile. */
  found(ids: readonly string[]): void
}

/**
 * Creates the registry of endpoints and accounts whose slots are all in use.
 * @param onRoom runs when a waiting delivery may begin.
 */
export function createSaturatedEndpoints(onRoom: () => void): SaturatedEndpoints {
  const saturated = new Set<string>()
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
      if (saturated.has(endpointId) || saturated.has(accountId)) onRoom()
      else if (isLooking) endedMeanwhile.add(endpointId).add(accountId)
    },
    waits(waiting) {
      for (const { endpointId, accountId } of waiting) saturated.add(endpointId).add(accountId)
      // Other nodes use these slots, so no attempt that ends here frees one.
      if (waiting.some(({ accountId }) => !underWayOf.has(accountId))) onRoom()
    },
    looks(isFirstPart) {
      if (isFirstPart) saturated.clear()
      isLooking = true
    },
    found(ids) {
      isLooking = false
      for (const id of ids) saturated.add(id)
      if (ids.some((id) => endedMeanwhile.has(id))) onRoom()
      endedMeanwhile.clear()
    },
  }
}
