import { networksOf } from '../rules/addresses/networks.ts'

/**
 * Creates the counter of a limited resource of the process, by address. One address may hold `max` of it, the /56 and
 * the /48 of an IPv6 address a little more.
 */
export function createPoolShare(max: number) {
  const heldOf = new Map<string, number>()

  return {
    /** Returns whether the address may hold this much more, without counting it. */
    hasRoom: (address: string, more: number): boolean =>
      networksOf(address).every(({ name, pool }) => (heldOf.get(name) ?? 0) + more <= max * pool),
    /** Adds to what the address holds; a negative number releases. */
    add(address: string, more: number): void {
      for (const { name } of networksOf(address)) {
        const held = (heldOf.get(name) ?? 0) + more
        if (held === 0) heldOf.delete(name)
        else heldOf.set(name, held)
      }
    },
  }
}
