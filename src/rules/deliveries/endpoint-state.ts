import type { EndpointState, OffReason } from '../../core/vocabulary/deliveries.ts'

/** The facts that decide an endpoint's badge. */
export type EndpointStateInputs = {
  isInPlan: boolean
  isOn: boolean
  /** Null while the endpoint is on. */
  offReason: OffReason | null
  failuresInRow: number
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/**
 * Returns the state of an endpoint: why it is off or idle, or else how its last attempt ended. Tests do not count: an endpoint with only tests is untried. One
 * that was switched on again is untried until its next attempt.
 * Spec: Deliveries › Health; reading D12.
 */
export function endpointState(endpoint: EndpointStateInputs): EndpointState {
  const { isInPlan, isOn, offReason, failuresInRow, lastSuccessAt, lastFailureAt } = endpoint
  if (!isOn) {
    if (offReason === 'gone') return 'off_gone'
    return offReason === 'by_member' ? 'off_by_member' : 'off_failures'
  }
  if (!isInPlan) return 'not_in_plan'
  if (failuresInRow > 0) return 'failing'
  if (lastFailureAt === null && lastSuccessAt === null) return 'untried'
  const isSuccessLast =
    lastSuccessAt !== null && (lastFailureAt === null || lastSuccessAt >= lastFailureAt)
  return isSuccessLast ? 'healthy' : 'untried_since_on'
}
