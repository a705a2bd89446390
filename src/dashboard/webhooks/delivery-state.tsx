import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import type { DeliveryBadge } from '../../core/vocabulary/deliveries.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { Tag } from '../parts/Tag.tsx'
import { useWords } from '../words/use-words.tsx'
import { logWords } from './words-log.ts'

const LOOKS: Looks<DeliveryBadge> = {
  waiting: { tone: 'busy', icon: 'progress' },
  retrying: { tone: 'warn', icon: 'rotate' },
  delivered: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'bad', icon: 'failed' },
  held: { tone: 'off', icon: 'pause' },
  superseded: { tone: 'off', icon: 'off' },
  cancelled: { tone: 'off', icon: 'off' },
  expired: { tone: 'off', icon: 'clock' },
}

/** The state of a delivery, as an icon with a word. */
export function DeliveryPill({ delivery }: { delivery: Pick<DeliveryView, 'badge'> }) {
  const t = useWords(logWords)
  return <Pill {...LOOKS[delivery.badge]}>{t(delivery.badge)}</Pill>
}

/** The state of a delivery's latest resend; the state of the original delivery does not change. */
export function ResendMark({ delivery }: { delivery: Pick<DeliveryView, 'lastResend'> }) {
  const t = useWords(logWords)
  const { lastResend } = delivery
  if (lastResend === null) return null
  const { state } = lastResend
  const isWaiting = state === 'pending' || state === 'held'
  return (
    <Tag>
      {t(
        state === 'delivered'
          ? 'resend_delivered'
          : isWaiting
            ? 'resend_waits'
            : 'resend_not_delivered',
      )}
    </Tag>
  )
}
