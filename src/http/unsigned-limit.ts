import { PROVIDER_LIMITS } from '../limits/messaging.ts'
import { CLOCK_SKEW_MS } from '../limits/units.ts'
import { createAddressLimit } from './address-limit.ts'

const MOST_VOUCHED = 10_000

/**
 * How often an address may send what no provider signed: 60 times in any 60 seconds, then nothing of it
 * is read. An address that sent something rightly signed in the last 24 hours is never refused: a
 * provider speaks for many merchants from one address, and one of them may have typed a wrong secret.
 *
 * In the memory of each process, and bounded. See docs/decisions/0022.
 */
export function createUnsignedLimit() {
  const unsigned = createAddressLimit(PROVIDER_LIMITS.unsignedPerAddressPerMinute)
  /** When an address last sent something rightly signed; the longest silent first. */
  const vouchedAt = new Map<string, number>()

  function isVouched(address: string, now: Date): boolean {
    const agoMs = now.getTime() - (vouchedAt.get(address) ?? -Infinity)
    return agoMs < PROVIDER_LIMITS.vouchedForMs && agoMs >= -CLOCK_SKEW_MS
  }

  return {
    isVouched,
    isRefused: (address: string, now: Date) =>
      unsigned.isFull(address, now) && !isVouched(address, now),
    /** Something of this address was not rightly signed, or never came to its end. */
    count(address: string, now: Date): void {
      unsigned.admit(address, now)
    },
    /** Something of this address was rightly signed. */
    vouch(address: string, now: Date): void {
      vouchedAt.delete(address)
      vouchedAt.set(address, now.getTime())
      if (vouchedAt.size > MOST_VOUCHED) vouchedAt.delete(vouchedAt.keys().next().value!)
    },
  }
}
