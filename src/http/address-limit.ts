import { HOOK_LIMITS } from '../limits/hooks.ts'
import { CLOCK_SKEW_MS, MINUTE_MS } from '../limits/units.ts'

/** Addresses of one generation at most; two generations are remembered. */
const MOST_ADDRESSES = 50_000

/**
 * A sliding window for each address, as check 1 of a hook has it: at most 120 admitted requests of one
 * address in any 60 seconds. Refused requests do not count, so a client that keeps trying is let in
 * again as its window slides.
 *
 * Kept in memory and bounded: addresses live in two generations. A generation is begun every window,
 * or when one is full; whoever was silent for a whole one is forgotten with it. A flood of addresses
 * can push others out, which only lets them ask more. A time that lies in the future, as after the
 * clock was put back, is none.
 *
 * Spec: Limits › Hooks; reading H12.
 */
export function createAddressLimit(
  most: number = HOOK_LIMITS.requestsPerAddressPerMinute,
  windowMs: number = MINUTE_MS,
) {
  let young = new Map<string, number[]>()
  let old = new Map<string, number[]>()
  let begunAt = 0

  /** The times of an address's admitted requests that are still in its window, oldest first. */
  function inWindow(address: string, at: number): number[] {
    const times = young.get(address) ?? old.get(address) ?? []
    let gone = 0
    while (gone < times.length && times[gone]! <= at - windowMs) gone += 1
    if (gone > 0) times.splice(0, gone)
    while (times.length > 0 && times.at(-1)! > at + CLOCK_SKEW_MS) times.pop()
    return times
  }

  function count(address: string, at: number, times: number[]): void {
    if (begunAt <= at - windowMs || begunAt > at + CLOCK_SKEW_MS || young.size >= MOST_ADDRESSES) {
      old = young
      young = new Map()
      begunAt = at
    }
    times.push(at)
    young.set(address, times)
  }

  return {
    /** Whether a request of this address may pass at this time; if so, it is counted. */
    admit(address: string, now: Date): boolean {
      const at = now.getTime()
      const times = inWindow(address, at)
      if (times.length >= most) return false
      count(address, at, times)
      return true
    },
    /** Takes back what was admitted at this time: it came to nothing that counts. */
    takeBack(address: string, now: Date): void {
      const times = inWindow(address, now.getTime())
      const place = times.lastIndexOf(now.getTime())
      if (place >= 0) times.splice(place, 1)
    },
    /** Whether another one would be refused. Counts nothing. */
    isFull: (address: string, now: Date) => inWindow(address, now.getTime()).length >= most,
    /** How many requests of the address its window holds. */
    count: (address: string, now: Date) => inWindow(address, now.getTime()).length,
    size: () => young.size + old.size,
  }
}
export type AddressLimit = ReturnType<typeof createAddressLimit>
