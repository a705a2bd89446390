import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'

/** The consequence of a failed attempt. */
export type NextAttempt = { kind: 'retry'; delayMs: number } | { kind: 'dead_letter' }

/**
 * Returns the consequence of a failed attempt `attemptNumber` (1 to 8): another one, due `delayMs` after the end of the
 * failed one, or the dead letter. There is no jitter, because the schedule is published.
 * Spec: States › Delivery.
 */
export function nextAttemptAfter(attemptNumber: number): NextAttempt {
  const delayMs = DELIVERY_LIMITS.retryDelaysMs[attemptNumber - 1]
  return delayMs === undefined ? { kind: 'dead_letter' } : { kind: 'retry', delayMs }
}
