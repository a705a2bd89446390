import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { nextAttemptAfter } from '../../rules/deliveries/retry-schedule.ts'

/** An attempt that follows if all earlier ones fail. Its number counts from 1. */
export type PlannedAttempt = {
  number: number
  /** The time as ISO 8601: exact for the next attempt, the earliest possible for later ones. */
  at: string
  /** The delay after the previous attempt; null for the next one. */
  delayMs: number | null
}

/**
 * Returns the attempts to come, if every one of them fails. Returns an empty list for deliveries that have ended, are
 * held, or are attempted only once.
 */
export function plannedAttempts({
  state,
  kind,
  attempts,
  dueAt,
}: Pick<DeliveryView, 'state' | 'kind' | 'attempts' | 'dueAt'>): PlannedAttempt[] {
  if (state !== 'pending' || dueAt === null || kind === 'test' || attempts === 0) return []
  const planned: PlannedAttempt[] = [{ number: attempts + 1, at: dueAt, delayMs: null }]
  for (;;) {
    const last = planned.at(-1)!
    const next = nextAttemptAfter(last.number)
    if (next.kind !== 'retry') return planned
    planned.push({
      number: last.number + 1,
      at: new Date(Date.parse(last.at) + next.delayMs).toISOString(),
      delayMs: next.delayMs,
    })
  }
}
