/** How fast one number sends: as fast as its provider takes it, and no faster. */
import { capabilitiesOf } from '../rules/messaging/channel-capabilities.ts'
import { HOUR_MS, SECOND_MS } from '../limits/units.ts'
import type { SendingChannel } from '../messaging/queue-message.ts'
import type { Random } from '../ids.ts'

export type Pace = {
  /** Until the next send may begin. */
  waitMs(nowMs: number): number
  begun(nowMs: number): void
  /** Whether what it remembers matters no more. */
  isAtRest(nowMs: number): boolean
}

/** @param random picks the gaps, where a channel keeps them. */
export function createPace({ type, isCoexistence }: SendingChannel, random: Random): Pace {
  const { pacing } = capabilitiesOf(type)
  if (pacing === null) return { waitMs: () => 0, begun: () => {}, isAtRest: () => true }
  if (pacing.kind === 'rate') {
    return inAnyTime(
      isCoexistence ? pacing.perSecondInCoexistence : pacing.perSecond,
      SECOND_MS + SLACK_MS,
    )
  }
  const hourly = inAnyTime(pacing.perHour, HOUR_MS)
  let nextMs = -Infinity
  return {
    waitMs: (nowMs) => Math.max(hourly.waitMs(nowMs), nextMs - nowMs, 0),
    begun(nowMs) {
      hourly.begun(nowMs)
      const [byte] = random256(random)
      const { gapMinMs, gapMaxMs } = pacing
      nextMs = nowMs + gapMinMs + ((gapMaxMs - gapMinMs) * byte) / 255
    },
    isAtRest: hourly.isAtRest,
  }
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

function random256(random: Random): [number] {
  const byte = new Uint8Array(1)
  random(byte)
  return [byte[0]!]
}
