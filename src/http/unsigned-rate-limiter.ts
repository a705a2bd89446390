import { PROVIDER_LIMITS } from '../core/limits/messaging.ts'
import { CLOCK_SKEW_MS } from '../core/limits/units.ts'
import type { ChannelType } from '../core/vocabulary/channels.ts'
import { createAddressLimit } from './ip-rate-limiter.ts'

const MAX_VOUCHED = 10_000

/**
 * Creates the limit of requests without a valid signature: after 60 of an address in any 60 seconds, all requests of
 * that address are refused unread, signed ones too.
 *
 * An address that sent a validly signed request to a channel type in the last 24 hours is exempt for that type. A
 * provider serves many merchants from one address, and one of them may have typed a wrong secret.
 *
 * The limit is kept in the memory of each process, and bounded. See docs/decisions/0022.
 */
export function createUnsignedLimit() {
  const unsigned = createAddressLimit(PROVIDER_LIMITS.unsignedPerAddressPerMinute)
  /** The time of the last validly signed request, by channel type and address; the oldest first. */
  const vouchedAt = new Map<string, number>()

  function isVouched(type: ChannelType, address: string, now: Date): boolean {
    const agoMs = now.getTime() - (vouchedAt.get(`${type} ${address}`) ?? -Infinity)
    return agoMs < PROVIDER_LIMITS.trustedAddressMs && agoMs >= -CLOCK_SKEW_MS
  }

  return {
    /** Returns whether an address is exempt for a channel type. */
    isVouched,
    /** Returns whether a request is to be refused before it is read. Does not count it. */
    isRefused: (type: ChannelType, address: string, now: Date) =>
      unsigned.isFull(address, now) && !isVouched(type, address, now),
    /** Counts a request of this address that had no valid signature, or was never complete. */
    count(address: string, now: Date): void {
      unsigned.admit(address, now)
    },
    /** Records a validly signed request of this address to channels of a type. */
    vouch(type: ChannelType, address: string, now: Date): void {
      const key = `${type} ${address}`
      vouchedAt.delete(key)
      vouchedAt.set(key, now.getTime())
      if (vouchedAt.size > MAX_VOUCHED) vouchedAt.delete(vouchedAt.keys().next().value!)
    },
  }
}
