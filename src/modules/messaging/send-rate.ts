import { SECOND_MS } from '../../core/limits/units.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import type { SendingChannel } from './queue-message.ts'

/** A margin, because sends may reach the provider closer together than they were started. */
const SLACK_MS = 50

/** The window, in ms, in which a channel starts at most its rate per second. */
export const RATE_STRETCH_MS = SECOND_MS + SLACK_MS

/** Returns how many messages a channel may send per second across all processes, or null without such a rate. */
export function rateOf({ type, isCoexistence }: Omit<SendingChannel, 'id'>): number | null {
  const { pacing } = capabilitiesOf(type)
  if (pacing?.kind !== 'rate') return null
  return isCoexistence ? pacing.perSecondInCoexistence : pacing.perSecond
}
