import { DELIVERY_ENGINE, DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import type { DeliveryOutcome } from './delivery-outcome.ts'

/** The results of an endpoint since its last success. */
export type EndpointHealth = {
  failuresInRow: number
  /** The first failure since the last success. */
  failingSince: Date | null
  /** The time of the warning to the owner about the current series of failures. */
  warnedAt: Date | null
}

/** The reasons for which the service switches an endpoint off. */
export type SwitchOffReason = 'failures_in_row' | 'failing_for_days' | 'gone'

/** The health of an endpoint after an attempt, and what follows from it. */
export type HealthVerdict = {
  after: EndpointHealth
  switchOff: SwitchOffReason | null
  /** True once in a series of failures, when the owner must be warned. */
  isWarningDue: boolean
}

/** The health of an endpoint after a success. */
export const HEALTHY: EndpointHealth = { failuresInRow: 0, failingSince: null, warnedAt: null }

/**
 * Returns an endpoint's health after an attempt, whether to switch it off, and whether to warn its owner. First
 * attempts, retries and resends count alike; a test never counts, not even its 410. Three days of failures are detected
 * at a failed attempt, 72 hours or more after the first failure.
 * Spec: Deliveries › Switch-off; readings D9, D10, D11.
 */
export function evaluateEndpoint(
  before: EndpointHealth,
  attempt: { outcome: DeliveryOutcome; isTest: boolean; at: Date },
): HealthVerdict {
  const { outcome, isTest, at } = attempt
  if (isTest) return { after: before, switchOff: null, isWarningDue: false }
  if (outcome === 'delivered') return { after: HEALTHY, switchOff: null, isWarningDue: false }

  const failuresInRow = before.failuresInRow + 1
  const failingSince = before.failingSince ?? at
  const failingMs = at.getTime() - failingSince.getTime()
  const switchOff = switchOffReason(outcome, failuresInRow, failingMs)
  const isWarningDue =
    switchOff === null &&
    before.warnedAt === null &&
    (failuresInRow >= DELIVERY_LIMITS.warnAfterFailuresInRow ||
      failingMs >= DELIVERY_LIMITS.warnAfterFailingMs)
  const warnedAt = isWarningDue ? at : before.warnedAt
  return { after: { failuresInRow, failingSince, warnedAt }, switchOff, isWarningDue }
}

function switchOffReason(
  outcome: DeliveryOutcome,
  failuresInRow: number,
  failingMs: number,
): SwitchOffReason | null {
  if (outcome === 'gone') return 'gone'
  if (failuresInRow >= DELIVERY_LIMITS.switchOffAfterFailuresInRow) return 'failures_in_row'
  return failingMs >= DELIVERY_LIMITS.switchOffAfterFailingMs ? 'failing_for_days' : null
}

/**
 * Returns how many concurrent attempts an endpoint may have after one more has ended. The number is 1 while the
 * endpoint keeps failing and doubles with each success up to the limit. A test changes nothing.
 */
export function slotsAfter(
  before: number,
  { outcome, isTest }: { outcome: DeliveryOutcome; isTest: boolean },
  failuresInRow: number,
): number {
  if (isTest) return before
  if (outcome === 'delivered') return Math.min(before * 2, DELIVERY_ENGINE.inFlightPerEndpoint)
  return failuresInRow >= DELIVERY_ENGINE.oneSlotAfterFailuresInRow ? 1 : before
}
