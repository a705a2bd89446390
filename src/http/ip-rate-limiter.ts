import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import { CLOCK_SKEW_MS, MINUTE_MS } from '../core/limits/units.ts'
import { networksOf } from '../rules/addresses/networks.ts'

/** Maximum number of addresses in one generation; two generations are kept. */
const MAX_ADDRESSES = 50_000

/**
 * Creates a sliding-window rate limit for each address: at most `max` admitted requests of one address in any
 * `windowMs`, by default the limit of check 1 of a hook. Refused requests do not count, so a client that keeps trying
 * is admitted again as its window slides. The /56 and the /48 of an IPv6 address have windows too, with a multiple of
 * the limit.
 *
 * Memory is bounded by two generations of addresses: a new one begins every window, or when one is full, and drops
 * addresses that were silent for a whole generation. A flood of addresses can only evict others, which then may send
 * more. Times in the future, as after the clock was set back, are ignored.
 *
 * Spec: Limits › Hooks; reading H12.
 */
export function createAddressLimit(
  max: number = HOOK_LIMITS.requestsPerAddressPerMinute,
  windowMs: number = MINUTE_MS,
  /** The multiple for wider networks: `pool` is smaller than `rate`, for resources that all clients share. */
  share: 'rate' | 'pool' = 'rate',
) {
  let young = new Map<string, number[]>()
  let old = new Map<string, number[]>()
  let begunAt = 0

  /** Returns the times of an address's admitted requests that are still in its window, oldest first. */
  function inWindow(address: string, at: number): number[] {
    const times = young.get(address) ?? old.get(address) ?? []
    let gone = 0
    while (gone < times.length && times[gone]! <= at - windowMs) gone += 1
    if (gone > 0) times.splice(0, gone)
    while (times.length > 0 && times.at(-1)! > at + CLOCK_SKEW_MS) times.pop()
    return times
  }

  function count(address: string, at: number, weight: number): void {
    const times = inWindow(address, at)
    if (begunAt <= at - windowMs || begunAt > at + CLOCK_SKEW_MS || young.size >= MAX_ADDRESSES) {
      old = young
      young = new Map()
      begunAt = at
    }
    for (let index = 0; index < weight; index += 1) times.push(at)
    young.set(address, times)
  }

  const hasRoom = (address: string, at: number, weight: number): boolean =>
    networksOf(address).every(
      (network) => inWindow(network.name, at).length + weight <= max * network[share],
    )

  return {
    /**
     * Admits a request of this address and counts it, or returns false.
     * @param weight the number of requests it counts as
     */
    admit(address: string, now: Date, weight = 1): boolean {
      const at = now.getTime()
      if (!hasRoom(address, at, weight)) return false
      for (const { name } of networksOf(address)) count(name, at, weight)
      return true
    },
    /** Removes a request that was admitted at this time, with its weight, from the window. */
    takeBack(address: string, now: Date, weight = 1): void {
      for (const { name } of networksOf(address)) {
        const times = inWindow(name, now.getTime())
        const last = times.lastIndexOf(now.getTime())
        if (last >= 0) times.splice(Math.max(0, last - weight + 1), weight)
      }
    },
    /** Returns whether another request would be refused, without counting one. */
    isFull: (address: string, now: Date) => !hasRoom(address, now.getTime(), 1),
    /** Returns the number of requests in the window of the address. */
    count: (address: string, now: Date) => inWindow(address, now.getTime()).length,
    size: () => young.size + old.size,
  }
}
/** A rate limit by client address. */
export type AddressLimit = ReturnType<typeof createAddressLimit>
