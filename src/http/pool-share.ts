import { networksOf } from '../rules/addresses/networks.ts'

/**
 * Counts what each address holds of something that a process has only so much of. One address may hold `most` of it, the
 * /56 and the /48 of an IPv6 address a little more.
 */
export function createPoolShare(most: number) {
  const heldOf = new Map<string, number>()

  return {
    /** Whether the address may hold so much more. Counts nothing. */
    hasRoom: (address: string, more: number): boolean =>
      networksOf(address).every(({ name, pool }) => (heldOf.get(name) ?? 0) + more <= most * pool),
    /** Counts what the address holds more, or less where it is below zero. */
    add(address: string, more: number): void {
      for (const { name } of networksOf(address)) {
        const held = (heldOf.get(name) ?? 0) + more
        if (held === 0) heldOf.delete(name)
        else heldOf.set(name, held)
      }
    },
  }
}
