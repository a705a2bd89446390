import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import { CLOCK_SKEW_MS, MINUTE_MS } from '../core/limits/units.ts'
import { networksOf } from '../rules/addresses/networks.ts'

/** Addresses of one generation at most; two generations are remembered. */
const MOST_ADDRESSES = 50_000

/**
 * A sliding window for each address, as check 1 of a hook has it: at most 120 admitted requests of one
 * address in any 60 seconds. Refused requests do not count, so a client that keeps trying is let in
 * again as its window slides. The /56 and the /48 of an IPv6 address are counted as well, and have some times its number.
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
  /** Which share wider networks have: of what is there for all they have less. */
  share: 'rate' | 'pool' = 'rate',
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

  function count(address: string, at: number, places: number): void {
    const times = inWindow(address, at)
    if (begunAt <= at - windowMs || begunAt > at + CLOCK_SKEW_MS || young.size >= MOST_ADDRESSES) {
      old = young
      young = new Map()
      begunAt = at
    }
    for (let place = 0; place < places; place += 1) times.push(at)
    young.set(address, times)
  }

  const hasRoom = (address: string, at: number, places: number): boolean =>
    networksOf(address).every(
      (network) => inWindow(network.name, at).length + places <= most * network[share],
    )

  return {
    /**
     * Whether a request of this address may pass at this time; if so, it is counted.
     * @param places how many it counts as
     */
    admit(address: string, now: Date, places = 1): boolean {
      const at = now.getTime()
      if (!hasRoom(address, at, places)) return false
      for (const { name } of networksOf(address)) count(name, at, places)
      return true
    },
    /** Takes back what was admitted at this time, with its places: it came to nothing that counts. */
    takeBack(address: string, now: Date, places = 1): void {
      for (const { name } of networksOf(address)) {
        const times = inWindow(name, now.getTime())
        const last = times.lastIndexOf(now.getTime())
        if (last >= 0) times.splice(Math.max(0, last - places + 1), places)
      }
    },
    /** Whether another one would be refused. Counts nothing. */
    isFull: (address: string, now: Date) => !hasRoom(address, now.getTime(), 1),
    /** How many requests of the address its window holds. */
    count: (address: string, now: Date) => inWindow(address, now.getTime()).length,
    size: () => young.size + old.size,
  }
}
export type AddressLimit = ReturnType<typeof createAddressLimit>
