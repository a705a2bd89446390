/**
 * The executor of deliveries in this process: begins attempts, records their outcomes in batches, and counts them by
 * endpoint. If an outcome cannot be recorded, the lease ends and the delivery is attempted again with the same ids.
 */
import type { KeyRing } from '../infra/secrets/key-ring.ts'
import { rememberSecrets } from '../infra/secrets/remember-secrets.ts'
import type { Context } from '../infra/context.ts'
import { createBatcher } from '../infra/database/batcher.ts'
import {
  lockTimeoutWithin,
  retryWhileUnavailable,
} from '../infra/database/retry-while-unavailable.ts'
import { attemptDelivery } from '../modules/deliveries/attempt-delivery.ts'
import type { ClaimedDelivery } from '../modules/deliveries/claim-deliveries.sql.ts'
import { recordAttempts } from '../modules/deliveries/record-attempts.sql.ts'
import type { RecordedAttempt } from '../modules/deliveries/recorded-attempt.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'
import type { DeliveryMeter } from '../infra/metrics.ts'
import type { OutboundClient } from '../infra/egress/outbound-client.ts'

/** The executor of deliveries. */
export type DeliveryExecutor = ReturnType<typeof createDeliveryExecutor>

/** The dependencies of attempts. */
export type AttemptDeps = {
  outbound: OutboundClient
  keyRing: KeyRing
  meter: DeliveryMeter
}

/** Creates the executor that attempts claimed deliveries and records their outcomes. */
export function createDeliveryExecutor(
  { db, clock, ids, log }: Context,
  { outbound, keyRing, meter }: AttemptDeps,
) {
  const byEndpoint = new Map<string, number>()
  const secrets = rememberSecrets(keyRing, DELIVERY_ENGINE.secretsRemembered)
  const stopping = new AbortController()
  let failedBatches = 0
  const settle = createBatcher<RecordedAttempt, void>({
    maxSize: DELIVERY_ENGINE.outcomesPerBatch,
    maxConcurrent: DELIVERY_ENGINE.maxConcurrentBatches,
    run: settleBatch,
  })

  async function settleBatch(attempts: readonly RecordedAttempt[]): Promise<void[]> {
    const { lateIds, switchedOff } = await recordAttempts({ db, ids, written }, attempts)
    if (attempts.some(({ error }) => error !== null)) failedBatches += 1
    for (const lateId of lateIds) {
      meter.recordedStale()
      log.warn({ attemptId: lateId }, 'attempt finished after its lease expired: outcome discarded')
    }
    for (const off of switchedOff) log.info(off, 'endpoint switched off')
    return []
  }

  /** Repeats a statement while the database is unavailable or a lock times out; no request is sent twice. */
  const written = <T>(write: () => Promise<T>): Promise<T> =>
    retryWhileUnavailable(write, {
      isWorthIt: lockTimeoutWithin(DELIVERY_ENGINE.leaseMs / 2),
      stopping: stopping.signal,
    })

  function measure(delivery: ClaimedDelivery, settled: RecordedAttempt, claimedAt: Date) {
    const startedMs = settled.startedAt.getTime()
    // A first attempt is due when its delivery is created, or when a held one is released.
    const isFirst = delivery.attempts === 0 && delivery.kind !== 'test'
    meter.attempted({
      error: settled.error,
      durationMs: settled.durationMs,
      sinceClaimMs: startedMs - claimedAt.getTime(),
      sinceDueMs: isFirst ? startedMs - delivery.dueAt.getTime() : null,
    })
  }

  return {
    /**
     * Makes one attempt and records it. Never rejects. `onAnswered` runs when another attempt may use its slot while
     * the outcome is recorded, unless too many outcomes wait.
     */
    async make(delivery: ClaimedDelivery, claimedAt: Date, onAnswered: () => void): Promise<void> {
      const { endpointId } = delivery
      byEndpoint.set(endpointId, (byEndpoint.get(endpointId) ?? 0) + 1)
      if (delivery.body === null) {
        log.error({ deliveryId: delivery.id }, 'delivery without a body skipped')
      }
      try {
        const settled = await attemptDelivery({ outbound, keyRing: secrets, clock, ids }, delivery)
        if (settle.waiting() < DELIVERY_ENGINE.maxUnwrittenOutcomes) onAnswered()
        await settle.add(settled)
        measure(delivery, settled, claimedAt)
      } catch (error) {
        log.error(
          { err: error, deliveryId: delivery.id },
          'attempt not recorded: due again after its lease',
        )
      } finally {
        const left = byEndpoint.get(endpointId)! - 1
        if (left > 0) byEndpoint.set(endpointId, left)
        else byEndpoint.delete(endpointId)
      }
    },
    /** Returns the number of attempts in progress at an endpoint. */
    ofEndpoint: (endpointId: string) => byEndpoint.get(endpointId) ?? 0,
    /** Returns the number of recorded batches with failures, after which an endpoint may be off or have fewer slots. */
    failedBatches: () => failedBatches,
    written,
    halt: () => stopping.abort(),
  }
}
