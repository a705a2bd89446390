/** Marks of a conversation: its channel, the reason of its handover, and the time left in its reply window. */
import { Tooltip } from '@mantine/core'
import { now } from '../words/now.ts'
import { Icon } from '../parts/Icon.tsx'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { useVisitorName } from '../parts/visitor-name.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import type { ConversationView } from '../../contract/dashboard/conversation.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import styles from './inbox.module.css'
import { inboxWords } from './words.ts'

const REASONS: Looks<HandoverReason> = {
  customer_asked_for_person: { tone: 'warn', icon: 'hand_over' },
  missing_information: { tone: 'warn', icon: 'help' },
  needs_staff_action: { tone: 'warn', icon: 'hand_over' },
  customer_upset: { tone: 'bad', icon: 'smile' },
  qualified_lead: { tone: 'accent', icon: 'target' },
  flow_handover: { tone: 'warn', icon: 'flow' },
  message_burst: { tone: 'warn', icon: 'inbox' },
  unsupported_media: { tone: 'off', icon: 'file' },
}

/** Returns a function that names the reason of a handover; an unknown one keeps its code. */
export function useReasonName(): (reason: string) => string {
  const t = useWords(inboxWords)
  return (reason) => (reason in REASONS ? t(`reason_${reason as HandoverReason}`) : reason)
}

/** The reason of a handover, as an icon with a word. A reason that this version does not know is shown by its code. */
export function ReasonPill({ reason }: { reason: string }) {
  const nameOf = useReasonName()
  const look = REASONS[reason as HandoverReason] ?? { tone: 'warn', icon: 'hand_over' }
  return <Pill {...look}>{nameOf(reason)}</Pill>
}

const SOON_MS = 4 * HOUR_MS
const VERY_SOON_MS = HOUR_MS

/** The time left in the reply window: a duration, no limit, or closed. */
export function WindowLeft({ of }: { of: Pick<ConversationView, 'channelType' | 'windowEndsAt'> }) {
  const t = useWords(inboxWords)
  const format = useFormat()
  const { reply } = capabilitiesOf(of.channelType)
  if (reply.kind === 'any_time') {
    return (
      <span className={styles.left} data-tone="off">
        <Icon name="clock" size={14} /> {t('no_limit')}
      </span>
    )
  }
  const left = of.windowEndsAt === null ? 0 : new Date(of.windowEndsAt).getTime() - now().getTime()
  if (reply.kind === 'never' || left <= 0) {
    return (
      <span className={styles.left} data-tone="off">
        <Icon name="lock" size={14} /> {t('closed')}
      </span>
    )
  }
  const tone = left < VERY_SOON_MS ? 'bad' : left < SOON_MS ? 'warn' : 'ok'
  return (
    <Tooltip label={t('window_left', { time: format.duration(left) })}>
      <span className={styles.left} data-tone={tone}>
        <Icon name="clock" size={14} /> {format.duration(left)}
      </span>
    </Tooltip>
  )
}

/** Returns a function that names a customer: by name, by number, or as unnamed or a numbered visitor. */
export function useCustomerName(): (
  of: Pick<ConversationView, 'id' | 'contact' | 'visitorName' | 'channelType'>,
) => string {
  const t = useWords(inboxWords)
  const nameOf = useVisitorName()
  return ({ id, contact, visitorName, channelType }) =>
    contact?.name ??
    contact?.phone ??
    visitorName ??
    (capabilitiesOf(channelType).hasContacts ? t('unnamed') : nameOf(id))
}
