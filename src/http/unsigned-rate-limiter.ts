import { PROVIDER_LIMITS } from '../core/limits/messaging.ts'
import { CLOCK_SKEW_MS } from '../core/limits/units.ts'
import type { ChannelType } from '../core/vocabulary/channels.ts'
import { createAddressLimit } from './ip-rate-limiter.ts'

const MOST_VOUCHED = 10_000

/**
 * How often an address may send what no provider signed: 60 times in any 60 seconds, then nothing of it
 * is read. An address that sent something rightly signed to channels of a type in the last 24 hours is never refused
 * there: a provider speaks for many merchants from one address, and one of them may have typed a wrong secret. What it
 * sent to another type says nothing of it.
 *
 * In the memory of each process, and bounded. See docs/decisions/0022.
 */
export function createUnsignedLimit() {
  const unsigned = createAddressLimit(PROVIDER_LIMITS.unsignedPerAddressPerMinute)
  /** When an address last sent a type something rightly signed, by both; the longest silent first. */
  const vouchedAt = new Map<string, number>()

  function isVouched(type: ChannelType, address: string, now: Date): boolean {
    const agoMs = now.getTime() - (vouchedAt.get(`${type} ${address}`) ?? -Infinity)
    return agoMs < PROVIDER_LIMITS.vouchedForMs && agoMs >= -CLOCK_SKEW_MS
  }

  return {
    isVouched,
    isRefused: (type: ChannelType, address: string, now: Date) =>
      unsigned.isFull(address, now) && !isVouched(type, address, now),
    /** Something of this address was not rightly signed, or never came to its end. */
    count(address: string, now: Date): void {
      unsigned.admit(address, now)
    },
    /** Something that this address sent to channels of a type was rightly signed, by a secret of the provider's. */
    vouch(type: ChannelType, address: string, now: Date): void {
      const key = `${type} ${address}`
      vouchedAt.delete(key)
      vouchedAt.set(key, now.getTime())
      if (vouchedAt.size > MOST_VOUCHED) vouchedAt.delete(vouchedAt.keys().next().value!)
    },
  }
}
