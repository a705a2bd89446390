import type { AttemptError } from '../../core/vocabulary/deliveries.ts'

/** The result of an attempt: a status line, or an error without one. */
export type AttemptResult =
  | { kind: 'answer'; status: number }
  | { kind: 'error'; error: AttemptError }

/** The outcome of an attempt. `gone` (410) is a failure that also switches the endpoint off. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'gone'

/**
 * Returns the outcome of an attempt by its status line alone: any 2XX is delivered, 410 is gone, and all others,
 * including redirects, are failed.
 * Spec: Deliveries › Answer.
 */
export function deliveryOutcome(result: AttemptResult): DeliveryOutcome {
  if (result.kind === 'error') return 'failed'
  if (result.status >= 200 && result.status <= 299) return 'delivered'
  return result.status === 410 ? 'gone' : 'failed'
}

/** Returns the error word that the delivery log shows for the attempt; null when it was delivered. */
export function attemptErrorOf(result: AttemptResult): AttemptError | null {
  if (result.kind === 'error') return result.error
  switch (deliveryOutcome(result)) {
    case 'delivered':
      return null
    case 'gone':
      return 'gone'
    case 'failed':
      return result.status >= 300 && result.status <= 399 ? 'redirect_refused' : 'http_error'
  }
}
