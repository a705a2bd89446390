import { HOUR_MS } from '../../core/limits/units.ts'
import type { DeliveryOutcome } from '../../rules/deliveries/delivery-outcome.ts'
import {
  evaluateEndpoint,
  slotsAfter,
  type EndpointHealth,
  type SwitchOffReason,
} from '../../rules/deliveries/endpoint-health.ts'
import { nextDeliveryState } from '../../rules/deliveries/next-delivery-state.ts'
import type { NoticeKind } from '../../core/vocabulary/accounts.ts'
import type { DeliveryState } from '../../core/vocabulary/deliveries.ts'
import type { EndpointNow, EndpointsNow, LockedDelivery } from './lock-outcomes.sql.ts'
import type { RecordedAttempt } from './recorded-attempt.ts'

/** The health of an endpoint as it is stored, after a batch of attempts. */
export type Health = EndpointHealth & {
  endpointId: string
  companyId: string
  slots: number
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/** A decision to switch an endpoint off, or to warn its owner. */
export type EndpointVerdict = {
  kind: NoticeKind
  endpoint: EndpointNow
  reason: SwitchOffReason | null
  at: Date
  health: EndpointHealth
  lastStatus: number | null
  lastError: string | null
}

/** The attempts of an endpoint within one hour of a batch, to add to its statistics. */
export type HourlyTotal = {
  endpointId: string
  companyId: string
  hour: Date
  attempts: number
  failures: number
  durationMs: number
}

/** The state that a delivery enters after an attempt. */
export type NextState = { attempt: RecordedAttempt; state: DeliveryState; dueAt: Date | null }

/** The rows to write for a batch of attempts. */
export type EvaluatedBatch = {
  attempts: readonly RecordedAttempt[]
  /** Ids of attempts that are stale, because their claim had ended: they are logged and do not count. */
  lateIds: string[]
  moved: NextState[]
  health: Health[]
  hours: HourlyTotal[]
  verdicts: EndpointVerdict[]
  /** Events whose resend was delivered to an endpoint: their other unfinished deliveries to it are superseded. */
  resent: { eventId: string; endpointId: string; at: Date }[]
}

/**
 * Evaluates a batch of attempts against the locked rows, in the order in which they ended, each by the rule of endpoint
 * health. The result has health, switch-offs, warnings, hourly sums and the state of each delivery. Tests and internal
 * failures (`unreadable`) do not count for health. An attempt whose delivery is not locked is stale.
 */
export function evaluateAttempts(
  attempts: readonly RecordedAttempt[],
  locked: readonly LockedDelivery[],
  { endpoints, resentIds }: EndpointsNow,
): EvaluatedBatch {
  const deliveries = new Map(locked.map((row) => [row.deliveryId, row]))
  const evaluated: EvaluatedBatch = {
    attempts,
    lateIds: [],
    moved: [],
    health: [],
    hours: [],
    verdicts: [],
    resent: [],
  }
  const inOrder = attempts.toSorted(
    (a, b) => a.endedAt.getTime() - b.endedAt.getTime() || (a.attemptId < b.attemptId ? -1 : 1),
  )
  const healthOf = new Map<string, Health>()
  const hours = new Map<string, HourlyTotal>()
  const offIds = new Set<string>()
  const resentNow = new Set<string>()

  for (const attempt of inOrder) {
    const delivery = deliveries.get(attempt.deliveryId)
    if (!delivery) {
      evaluated.lateIds.push(attempt.attemptId)
      continue
    }
    if (delivery.kind === 'resend' && attempt.error === null) {
      resentNow.add(`${delivery.eventId} ${delivery.endpointId}`)
      const { eventId, endpointId } = delivery
      evaluated.resent.push({ eventId, endpointId, at: attempt.endedAt })
    }
    if (attempt.isTest || attempt.error === 'unreadable') continue
    count(hours, attempt)
    const before = healthOf.get(attempt.endpointId) ?? healthBefore(attempt, delivery)
    const outcome = outcomeOf(attempt)
    const evaluatedAttempt = { outcome, isTest: false, at: attempt.endedAt }
    const { after, switchOff, isWarningDue } = evaluateEndpoint(before, evaluatedAttempt)
    healthOf.set(attempt.endpointId, {
      ...before,
      ...after,
      slots: slotsAfter(before.slots, evaluatedAttempt, after.failuresInRow),
      ...(outcome === 'delivered'
        ? { lastSuccessAt: later(before.lastSuccessAt, attempt.endedAt) }
        : { lastFailureAt: later(before.lastFailureAt, attempt.endedAt) }),
    })
    const endpoint = endpoints.get(attempt.endpointId)
    const isOn = endpoint?.isOn && !endpoint.isDeleted && !offIds.has(endpoint.id)
    if (!isOn || (switchOff === null && !isWarningDue)) continue
    if (switchOff !== null) offIds.add(endpoint.id)
    evaluated.verdicts.push({
      kind: switchOff === null ? 'endpoint_failing' : 'endpoint_switched_off',
      endpoint,
      reason: switchOff,
      at: attempt.endedAt,
      health: after,
      lastStatus: attempt.httpStatus,
      lastError: attempt.error,
    })
  }

  for (const attempt of inOrder) {
    const delivery = deliveries.get(attempt.deliveryId)
    if (!delivery) continue
    const endpoint = endpoints.get(delivery.endpointId)
    const isSuperseded =
      delivery.kind === 'event' &&
      (resentIds.has(delivery.deliveryId) ||
        resentNow.has(`${delivery.eventId} ${delivery.endpointId}`))
    const isOff = endpoint !== undefined && (!endpoint.isOn || offIds.has(endpoint.id))
    const next = nextDeliveryState(attempt, {
      isEndpointDeleted: endpoint?.isDeleted ?? false,
      isEndpointOff: isOff,
      isSuperseded,
    })
    evaluated.moved.push({ attempt, ...next })
  }
  evaluated.health = [...healthOf.values()]
  evaluated.hours = [...hours.values()]
  return evaluated
}

function outcomeOf({ error }: RecordedAttempt): DeliveryOutcome {
  if (error === null) return 'delivered'
  return error === 'gone' ? 'gone' : 'failed'
}

function healthBefore({ companyId }: RecordedAttempt, delivery: LockedDelivery): Health {
  const { endpointId, failuresInRow, failingSince, warnedAt, slots } = delivery
  const { lastSuccessAt, lastFailureAt } = delivery
  const rest = { slots, lastSuccessAt, lastFailureAt }
  return { endpointId, companyId, failuresInRow, failingSince, warnedAt, ...rest }
}

function count(hours: Map<string, HourlyTotal>, attempt: RecordedAttempt): void {
  const { endpointId, companyId, endedAt } = attempt
  const hour = new Date(endedAt.getTime() - (endedAt.getTime() % HOUR_MS))
  const key = `${endpointId} ${hour.getTime()}`
  const sum = hours.get(key) ?? {
    endpointId,
    companyId,
    hour,
    attempts: 0,
    failures: 0,
    durationMs: 0,
  }
  sum.attempts += 1
  sum.failures += attempt.error === null ? 0 : 1
  sum.durationMs += attempt.durationMs
  hours.set(key, sum)
}

function later(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b
}
