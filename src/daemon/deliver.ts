/**
 * The duty that posts webhook events: claim what is due, attempt it, settle the outcomes in batches.
 * Work under way is bounded; a claim asks for no more than the free places.
 */
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Context } from '../context.ts'
import { DELIVERY_ENGINE } from '../limits.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import { attemptDelivery } from '../webhooks/attempt-delivery.ts'
import {
  claimDeliveries,
  nextDeliveryDue,
  releaseExpiredDeliveries,
} from '../webhooks/claim-deliveries.sql.ts'
import { settleAttempts, type SettledAttempt } from '../webhooks/settle-attempts.sql.ts'
import { createBatcher } from './batcher.ts'
import { LEASES_EVERY_MS, type WorkingDuty } from './loop.ts'

export function createDeliverDuty(
  context: Context,
  { outbound, keyRing, onProgress }: Deps,
): WorkingDuty {
  const { db, clock, ids, log } = context
  const underWay = new Set<Promise<void>>()
  let leasesLookedAtNext = new Date(0)
  const settle = createBatcher<SettledAttempt>({
    most: DELIVERY_ENGINE.settleBatch,
    withinMs: DELIVERY_ENGINE.settleWithinMs,
    write: (attempts) => settleAttempts(db.kysely, attempts),
  })

  async function work(): Promise<boolean> {
    const free = DELIVERY_ENGINE.inFlight - underWay.size
    if (free <= 0) return false
    const now = clock.now()
    if (now >= leasesLookedAtNext) {
      leasesLookedAtNext = new Date(now.getTime() + LEASES_EVERY_MS)
      const expired = await releaseExpiredDeliveries(db.kysely, now)
      if (expired > 0) log.warn({ expired }, 'deliveries whose lease had ended are due again')
    }
    const claimed = await claimDeliveries(db.kysely, { claimId: ids.uuid(), now, limit: free })
    for (const delivery of claimed) {
      const attempt = attemptDelivery({ outbound, keyRing, clock, ids }, delivery)
        .then(settle)
        .catch((error: unknown) => {
          // The lease ends and the delivery is attempted again with the same ids.
          log.error({ err: error, deliveryId: delivery.id }, 'attempt could not be recorded')
        })
        .finally(() => {
          underWay.delete(attempt)
          onProgress()
        })
      underWay.add(attempt)
    }
    return claimed.length > 0
  }

  return {
    name: 'deliver',
    work,
    async nextDue() {
      const due = await nextDeliveryDue(db.kysely)
      // What is due but was not claimed waits for a place, and the end of an attempt wakes us.
      return due && due <= clock.now() && underWay.size > 0 ? null : due
    },
    inFlight: () => underWay.size,
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

type Deps = {
  outbound: OutboundClient
  keyRing: KeyRing
  /** Called when a place becomes free: what waited for it can be claimed. */
  onProgress(): void
}
