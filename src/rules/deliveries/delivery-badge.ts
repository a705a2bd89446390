import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import type {
  AttemptError,
  DeliveryBadge,
  DeliveryKind,
  DeliveryState,
  DeliveryView,
} from '../../core/vocabulary/deliveries.ts'

/** Returns the badge of a delivery in the log, such as `waiting`, `retrying` or `failed`. */
export function deliveryBadge({
  state,
  attempts,
}: {
  state: DeliveryState
  attempts: number
}): DeliveryBadge {
  if (state === 'pending') return attempts === 0 ? 'waiting' : 'retrying'
  return state === 'dead_lettered' ? 'failed' : state
}

/** The facts that decide whether a view includes a delivery. */
export type ViewedDelivery = {
  kind: DeliveryKind
  state: DeliveryState
  attempts: number
  lastError: AttemptError | null
  lastMs: number | null
}

/**
 * Returns whether a view of the log includes a delivery: events and resends, never tests. The log's statement expresses
 * the same rule in SQL (`search-deliveries.sql.ts`), and a test compares the two.
 */
export function isInView(delivery: ViewedDelivery, view: DeliveryView): boolean {
  const { kind, state, attempts, lastError, lastMs } = delivery
  if (kind === 'test') return false
  switch (view) {
    case 'failed':
      return lastError !== null && state !== 'delivered'
    case 'retrying':
      return state === 'pending' && attempts > 0
    case 'gave_up':
      return state === 'dead_lettered'
    case 'slow':
      return (lastMs ?? 0) > LOG_LIMITS.slowMs
  }
}
