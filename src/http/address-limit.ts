import { HOOK_LIMITS, MINUTE_MS } from '../limits.ts'

/** Addresses of one generation at most; two generations are remembered. */
const MOST_ADDRESSES = 50_000

/**
 * The sliding window of check 1: at most 120 admitted requests of one address in any 60 seconds.
 * Refused requests do not count, so a client that keeps trying is let in again as its window slides.
 *
 * Kept in memory and bounded: addresses live in two generations. A generation is begun every minute,
 * or when one is full; whoever was silent for a whole one is forgotten with it. A flood of addresses
 * can push others out, which only lets them ask more.
 *
 * Spec: Limits › Requests from one client IP address; docs/decisions (per-address limit).
 */
export function createAddressLimit() {
  let young = new Map<string, number[]>()
  let old = new Map<string, number[]>()
  let begunAt = 0

  /** The times of an address's admitted requests that are still in its window, oldest first. */
  function inWindow(address: string, now: Date): number[] {
    const since = now.getTime() - MINUTE_MS
    const times = young.get(address) ?? old.get(address) ?? []
    let gone = 0
    while (gone < times.length && times[gone]! <= since) gone += 1
    if (gone > 0) times.splice(0, gone)
    return times
  }

  return {
    /** Whether a request of this address may pass at this time; if so, it is counted. */
    admit(address: string, now: Date): boolean {
      const at = now.getTime()
      if (begunAt <= at - MINUTE_MS || young.size >= MOST_ADDRESSES) {
        old = young
        young = new Map()
        begunAt = at
      }
      const times = inWindow(address, now)
      if (times.length >= HOOK_LIMITS.requestsPerAddressPerMinute) return false
      times.push(at)
      young.set(address, times)
      return true
    },
    /** How many requests of the address its window holds. */
    count: (address: string, now: Date) => inWindow(address, now).length,
    size: () => young.size + old.size,
  }
}
export type AddressLimit = ReturnType<typeof createAddressLimit>
