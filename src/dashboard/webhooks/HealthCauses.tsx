import type { ReactNode } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import type { EndpointHealthView } from '../../contract/dashboard/endpoint.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import { now } from '../words/now.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Panel } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { LogSearch } from './log-search-params.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { endpointWords } from './words-endpoint.ts'
import { logWords } from './words-log.ts'

type Props = {
  endpointId: string
  health: EndpointHealthView
  hours: number
}

/** The causes of failed attempts; each links to its deliveries. */
export function Causes({ endpointId, health, hours }: Props) {
  const t = useWords(endpointWords)
  const log = useWords(logWords)
  const { causes, deliveries, isAll } = health.sample
  const from = beginOf(hours)
  const max = Math.max(1, ...causes.map(({ attempts }) => attempts))
  return (
    <Panel title={t('why_fails')}>
      {causes.length === 0 && <p className={styles.help}>{t('no_failures')}</p>}
      {causes.map(({ error, status, attempts, message }) => (
        <Cause
          key={`${error}${status}`}
          endpointId={endpointId}
          search={{ error, ...(status !== null && { status }), from }}
          share={attempts / max}
          figure={attempts}
          isBad
        >
          <span title={message.text}>
            {status !== null && (
              <>
                <Ltr>{status}</Ltr>{' '}
              </>
            )}
            {log(`cause_${error}`)}
          </span>
        </Cause>
      ))}
      {!isAll && <p className={styles.help}>{t('sample_of', { n: deliveries })}</p>}
    </Panel>
  )
}

/** The attempts by response status and by event type. */
export function Answers({ endpointId, health, hours }: Props) {
  const t = useWords(endpointWords)
  const { byStatus, byType } = health.sample
  const from = beginOf(hours)
  const max = Math.max(1, ...byStatus.map(({ attempts }) => attempts))
  return (
    <>
      {byStatus.length > 0 && (
        <Panel title={t('by_status')}>
          {byStatus.map(({ status, attempts }) => (
            <Cause
              key={status}
              endpointId={endpointId}
              search={status === null ? { view: 'failed', from } : { status, from }}
              share={attempts / max}
              figure={attempts}
              isBad={status === null || status >= 300}
            >
              {status === null ? t('no_answer') : <Ltr>{status}</Ltr>}
            </Cause>
          ))}
        </Panel>
      )}
      {byType.length > 0 && (
        <Panel title={t('by_type')}>
          {byType.map(({ type, attempts, failures }) => (
            <div key={type} className={styles.typeRow}>
              <Ltr>{type}</Ltr>
              <span className={layout.small}>
                {t('type_figures', { n: attempts, bad: failures })}
              </span>
            </div>
          ))}
        </Panel>
      )}
    </>
  )
}

function beginOf(hours: number): string {
  return new Date(now().getTime() - hours * HOUR_MS).toISOString()
}

function Cause({
  endpointId,
  search,
  share,
  figure,
  isBad,
  children,
}: {
  endpointId: string
  search: LogSearch
  share: number
  figure: number
  isBad: boolean
  children: ReactNode
}) {
  const format = useFormat()
  return (
    <PageLink
      to="webhooks/$endpoint/deliveries"
      params={{ endpoint: endpointId }}
      search={search}
      className={styles.cause}
    >
      <span className={styles.causeText}>{children}</span>
      <span className={styles.causeBar} data-bad={isBad} aria-hidden>
        <span style={{ inlineSize: `${Math.max(3, share * 100)}%` }} />
      </span>
      <strong>{format.number(figure)}</strong>
      <Icon name="chevron_next" size={14} />
    </PageLink>
  )
}
