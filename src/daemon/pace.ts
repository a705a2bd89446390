/** How fast one number sends: as fast as its provider takes it, and no faster. */
import { capabilitiesOf } from '../rules/messaging/channel-capabilities.ts'
import { SECOND_MS } from '../limits/units.ts'
import type { SendingChannel } from '../messaging/queue-message.ts'

export type Pace = {
  /** Until the next send may begin. */
  waitMs(nowMs: number): number
  begun(nowMs: number): void
  /** Whether what it remembers matters no more. */
  isAtRest(nowMs: number): boolean
}

/** A distance between sends is kept for all processes together, by whoever claims them. */
export function createPace({ type, isCoexistence }: SendingChannel): Pace {
  const { pacing } = capabilitiesOf(type)
  if (pacing?.kind !== 'rate') return { waitMs: () => 0, begun: () => {}, isAtRest: () => true }
  return inAnyTime(
    isCoexistence ? pacing.perSecondInCoexistence : pacing.perSecond,
    SECOND_MS + SLACK_MS,
  )
}

/** Two sends may be a little closer together at the provider than they were here. */
const SLACK_MS = 50

/** At most so many in any stretch of time: the last ones are remembered. */
function inAnyTime(most: number, stretchMs: number): Pace {
  const begun: number[] = []
  let oldest = 0
  let lastMs = -Infinity
  return {
    isAtRest: (nowMs) => nowMs - lastMs > stretchMs,
    waitMs: (nowMs) => (begun.length < most ? 0 : Math.max(0, begun[oldest]! + stretchMs - nowMs)),
    begun(nowMs) {
      lastMs = nowMs
      if (begun.length < most) begun.push(nowMs)
      else {
        begun[oldest] = nowMs
        oldest = (oldest + 1) % most
      }
    },
  }
}
