import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { now } from '../words/now.ts'
import { IdChip, Ltr } from '../parts/Code.tsx'
import type { Column } from '../parts/ListTable.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { Tag } from '../parts/Tag.tsx'
import { Time, useTicker } from '../parts/Time.tsx'
import { useNarrowRows } from '../parts/use-is-phone-width.ts'
import { partsWords } from '../parts/words.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { DeliveryPill, ResendMark } from './delivery-state.tsx'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { logWords } from './words-log.ts'

/** Returns the columns of the delivery log. `hasEndpoint`: it lists one endpoint, whose column is left out. */
export function useLogColumns(hasEndpoint: boolean): readonly Column<DeliveryView>[] {
  const t = useWords(logWords)
  const format = useFormat()
  const isNarrow = useNarrowRows()
  const columns: Column<DeliveryView>[] = [
    { head: t('status'), cell: (delivery) => <DeliveryPill delivery={delivery} /> },
    { head: t('event'), cell: (delivery) => <EventName delivery={delivery} /> },
    {
      head: t('event_id'),
      phone: 'hidden',
      cell: ({ eventId }) => <IdChip id={eventId} isPlain />,
    },
  ]
  if (!hasEndpoint) {
    columns.push({
      head: t('endpoint'),
      phone: 'hidden',
      cell: ({ endpoint }) => (
        <span className={endpoint.isDeleted ? styles.faint : undefined}>
          <bdi>{endpoint.name}</bdi>
          {endpoint.isDeleted && <> ({t('deleted_endpoint')})</>}
        </span>
      ),
    })
  }
  return [
    ...columns,
    {
      head: t('customer'),
      phone: 'line',
      cell: ({ contact }) => (
        <span className={styles.customer}>
          {contact?.name != null ? <bdi>{contact.name}</bdi> : <Ltr>{contact?.phone ?? '—'}</Ltr>}
        </span>
      ),
    },
    {
      head: t('attempt'),
      isFigure: true,
      cell: ({ kind, attempts }) => {
        if (kind === 'test') return <span className={layout.count}>{t('once')}</span>
        return attempts === 0
          ? '—'
          : t(isNarrow ? 'attempt_n_of' : 'attempt_of', {
              n: attempts,
              limit: DELIVERY_LIMITS.attempts,
            })
      },
    },
    {
      head: t('next_try'),
      phone: 'hidden',
      cell: ({ dueAt, attempts }) => dueAt !== null && attempts > 0 && <Due at={dueAt} />,
    },
    { head: t('answer'), cell: (delivery) => <Answer delivery={delivery} /> },
    {
      head: t('ms'),
      isFigure: true,
      phone: 'hidden',
      cell: ({ lastMs }) => (
        <span className={layout.count}>{lastMs === null ? '—' : format.number(lastMs)}</span>
      ),
    },
    {
      head: t('time'),
      isFigure: true,
      phone: 'end',
      cell: ({ createdAt }) => (
        <span className={layout.count}>
          <Time at={createdAt} as="timeWithSeconds" />
        </span>
      ),
    },
  ]
}

function EventName({ delivery }: { delivery: DeliveryView }) {
  const t = useWords(partsWords)
  const log = useWords(logWords)
  return (
    <span className={styles.eventName}>
      <PageLink
        to="webhooks/deliveries/$delivery"
        params={{ delivery: delivery.id }}
        className={styles.code}
      >
        <Ltr>{delivery.type}</Ltr>
      </PageLink>
      {delivery.kind === 'test' && <Tag>{t('test')}</Tag>}
      {delivery.kind === 'resend' && <Tag>{log('resend_tag')}</Tag>}
      <ResendMark delivery={delivery} />
    </span>
  )
}

/** The time until the next attempt, as a countdown. */
function Due({ at }: { at: string }) {
  const t = useWords(logWords)
  const format = useFormat()
  useTicker(true)
  const left = Date.parse(at) - now().getTime()
  return (
    <span className={layout.count}>
      {left <= 0 ? t('due_now') : t('in_time', { time: format.duration(left) })}
    </span>
  )
}

function Answer({ delivery: { lastStatus, lastError } }: { delivery: DeliveryView }) {
  const t = useWords(logWords)
  if (lastStatus === null && lastError === null) return null
  return (
    <span className={lastError === null ? layout.count : styles.fault}>
      {lastStatus === null ? t(lastError!) : <Ltr>{lastStatus}</Ltr>}
    </span>
  )
}
