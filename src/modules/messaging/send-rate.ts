import { SECOND_MS } from '../../core/limits/units.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import type { SendingChannel } from './queue-message.ts'

/** Two sends may be a little closer together at the provider than they were begun. */
const SLACK_MS = 50

/** No stretch of this length has more sends than a rate allows in a second. */
export const RATE_STRETCH_MS = SECOND_MS + SLACK_MS

/** Returns how many messages a channel may send in any second, all processes together; null where it has no such rate. */
export function rateOf({ type, isCoexistence }: Omit<SendingChannel, 'id'>): number | null {
  const { pacing } = capabilitiesOf(type)
  if (pacing?.kind !== 'rate') return null
  return isCoexistence ? pacing.perSecondInCoexistence : pacing.perSecond
}
