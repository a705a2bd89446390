import type { LeadView } from '../../contract/dashboard/lead.ts'
import { LEAD_LIMITS } from '../../core/limits/leads.ts'
import type { LeadStatus, LeadTemperature } from '../../core/vocabulary/leads.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { Phone } from '../parts/Phone.tsx'
import { useVisitorName } from '../parts/visitor-name.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './leads.module.css'
import { leadsWords } from './words.ts'

const STATUS_LOOKS: Looks<LeadStatus> = {
  open: { tone: 'busy', icon: 'target' },
  qualified: { tone: 'accent', icon: 'check' },
  won: { tone: 'ok', icon: 'ok' },
  lost: { tone: 'off', icon: 'off' },
}

/** The status of a lead, as an icon with a word. */
export function LeadPill({ status }: { status: LeadStatus }) {
  const t = useWords(leadsWords)
  return <Pill {...STATUS_LOOKS[status]}>{t(status)}</Pill>
}

const TEMPERATURE_LOOKS: Looks<LeadTemperature> = {
  cold: { tone: 'off', icon: 'moon' },
  warm: { tone: 'off', icon: 'sun' },
  hot: { tone: 'warn', icon: 'bolt' },
}

/** The temperature of a lead, such as hot or cold. */
export function Temperature({ value }: { value: LeadTemperature | null }) {
  const t = useWords(leadsWords)
  if (value === null) return null
  return <Pill {...TEMPERATURE_LOOKS[value]}>{t(value)}</Pill>
}

/** The score, out of the maximum, as words and as a bar. */
export function Score({ score }: { score: number | null }) {
  const t = useWords(leadsWords)
  if (score === null) return null
  const limit = LEAD_LIMITS.maxScore
  const text = t('score_of', { n: score, limit })
  return (
    <span
      className={styles.score}
      role="meter"
      aria-label={text}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={score}
    >
      {text}
      <span className={styles.scoreBar}>
        <span style={{ inlineSize: `${(score / limit) * 100}%` }} />
      </span>
    </span>
  )
}

/** The name of a lead's customer, else their number, else the name of the visitor. */
export function LeadName({ lead }: { lead: LeadView }) {
  const visitorName = useVisitorName()
  const name = lead.contact?.name ?? lead.customerName
  if (name !== null) return <bdi>{name}</bdi>
  if (lead.contact?.phone != null) return <Phone phone={lead.contact.phone} />
  return <bdi>{visitorName(lead.conversationId)}</bdi>
}

/** Returns a function that names a lead as plain text, where markup is impossible. */
export function useLeadName(): (lead: LeadView) => string {
  const visitorName = useVisitorName()
  return ({ contact, customerName, conversationId }) =>
    contact?.name ?? customerName ?? contact?.phone ?? visitorName(conversationId)
}
