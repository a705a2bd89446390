import type { AttemptError, DeliveryState } from '../../core/vocabulary/deliveries.ts'
import { nextAttemptAfter } from './retry-schedule.ts'

/** An attempt with its result. */
export type EndedAttempt = {
  /** Null when the attempt delivered. */
  error: AttemptError | null
  /** The number of the attempt, from 1 to 8. */
  number: number
  isTest: boolean
  /** True when the frozen body has been deleted, which is final. */
  isBodyGone: boolean
  endedAt: Date
}

/** The circumstances at the time when the outcome is written. */
export type DeliveryContext = {
  isEndpointDeleted: boolean
  isEndpointOff: boolean
  /** True when a resend of the event was delivered meanwhile. */
  isSuperseded: boolean
}

/**
 * Returns the state of a delivery after an attempt, and the time of its next attempt, null unless it stays pending. Spec:
 * States › Delivery; Deliveries › Retries; readings D8, D12, D13.
 */
export function nextDeliveryState(
  { error, number, isTest, isBodyGone, endedAt }: EndedAttempt,
  { isEndpointDeleted, isEndpointOff, isSuperseded }: DeliveryContext,
): { state: DeliveryState; dueAt: Date | null } {
  if (error === null) return { state: 'delivered', dueAt: null }
  if (isEndpointDeleted) return { state: 'cancelled', dueAt: null }
  if (isSuperseded) return { state: 'superseded', dueAt: null }
  const next = nextAttemptAfter(number)
  // A test is never retried.
  if (isTest || isBodyGone || next.kind === 'dead_letter') {
    return { state: 'dead_lettered', dueAt: null }
  }
  if (isEndpointOff) return { state: 'held', dueAt: null }
  return { state: 'pending', dueAt: new Date(endedAt.getTime() + next.delayMs) }
}
