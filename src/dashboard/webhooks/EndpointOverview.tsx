import { NativeSelect, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { EndpointHealthView, EndpointView } from '../../contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS, HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Bars, type Bar } from '../parts/Bars.tsx'
import { Ltr } from '../parts/Code.tsx'
import { Details, Panel, ReadState } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { SPANS } from './endpoint-search.ts'
import { Answers, Causes } from './HealthCauses.tsx'
import { lastHours } from './hours.ts'
import { FIGURES_EVERY_MS, healthQuery } from './queries.ts'
import { ResendJobDialog } from './ResendJobDialog.tsx'
import { SecretPanel } from './SecretPanel.tsx'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { endpointWords } from './words-endpoint.ts'
import { webhooksWords } from './words.ts'

const PAGE = '/p/$company/webhooks/$endpoint'

/** The first tab of an endpoint: a graph of its attempts, causes of failures, settings and secrets. */
export function EndpointOverview({ endpoint }: { endpoint: EndpointView }) {
  const api = useApi()
  const { hours = '24' } = useSearch({ from: PAGE })
  const health = useQuery({
    ...healthQuery(api, endpoint.id, Number(hours)),
    refetchInterval: FIGURES_EVERY_MS,
  })
  // A failed refresh keeps the page, which may contain a secret that is shown once.
  if (!health.data) return <ReadState of={health} />
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <Graph endpointId={endpoint.id} health={health.data} hours={hours} />
        <Figures endpoint={endpoint} health={health.data} />
        <Settings endpoint={endpoint} />
      </div>
      <div className={styles.stack}>
        <Causes endpointId={endpoint.id} health={health.data} hours={Number(hours)} />
        <SecretPanel endpoint={endpoint} />
        <Answers endpointId={endpoint.id} health={health.data} hours={Number(hours)} />
      </div>
    </div>
  )
}

function Graph({
  endpointId,
  health,
  hours,
}: {
  endpointId: string
  health: EndpointHealthView
  hours: (typeof SPANS)[number]
}) {
  const t = useWords(endpointWords)
  const company = useCompanyId()
  const navigate = useNavigate()
  const bars = useBars(health, Number(hours))
  return (
    <Panel
      title={t('by_hour')}
      end={
        <span className={layout.row}>
          <span className={styles.legend}>
            <i data-kind="good" />
            {t('answered')}
          </span>
          <span className={styles.legend}>
            <i data-kind="bad" />
            {t('failed')}
          </span>
          <NativeSelect
            aria-label={t('span')}
            value={hours}
            data={SPANS.map((value) => ({ value, label: t(`hours_${value}`) }))}
            onChange={({ currentTarget: { value } }) =>
              void navigate({
                to: PAGE,
                params: { company, endpoint: endpointId },
                search: { hours: value as (typeof SPANS)[number] },
                replace: true,
              })
            }
          />
        </span>
      }
    >
      <p className={styles.help}>{t('counts_what')}</p>
      {health.now.attempts === 0 ? (
        <p className={styles.help}>{t('no_attempts')}</p>
      ) : (
        <Bars label={t('by_hour')} bars={bars} heads={[t('hour'), t('answered'), t('failed')]} />
      )}
    </Panel>
  )
}

/** The number of labels under the bars. */
const LABELS = 4
/** The maximum number of bars with one hour each; in longer spans a bar is several hours. */
const MAX_BARS = 48

function useBars(health: EndpointHealthView, hours: number): Bar[] {
  const t = useWords(endpointWords)
  const format = useFormat()
  const all = lastHours(health.hours, Math.min(hours, HEALTH_GRAPH.maxHours))
  const size = Math.max(1, Math.ceil(all.length / MAX_BARS))
  const groups = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
  const labelled = new Set(
    Array.from({ length: LABELS }, (_, at) =>
      Math.round((at * (groups.length - 1)) / (LABELS - 1)),
    ),
  )
  return groups.map((group, at) => {
    const first = group[0]!
    const bad = group.reduce((sum, { failures }) => sum + failures, 0)
    const good = group.reduce((sum, { attempts }) => sum + attempts, 0) - bad
    const label = hours > 48 ? format.date(first.hour) : format.time(first.hour)
    return {
      key: first.hour,
      label,
      isLabelled: labelled.has(at),
      good,
      bad,
      tip: t('bar_tip', { time: format.dateTime(first.hour), good, bad }),
    }
  })
}

function Figures({ endpoint, health }: { endpoint: EndpointView; health: EndpointHealthView }) {
  const t = useWords(endpointWords)
  const format = useFormat()
  const [isReleasing, setReleasing] = useState(false)
  const { now: sum, before, sample, pending, held } = health
  const share = (of: typeof sum) =>
    of.attempts === 0 ? null : format.percent(1 - of.failures / of.attempts)
  const was = share(before)
  return (
    <section className={styles.figures}>
      <Figure name={t('success')} value={share(sum) ?? '—'}>
        {was !== null && t('was', { share: was })}
      </Figure>
      {sample.p50Ms !== null && (
        <Figure name={t('typical')} value={format.milliseconds(sample.p50Ms)} />
      )}
      {sample.p95Ms !== null && (
        <Figure name={t('slowest')} value={format.milliseconds(sample.p95Ms)}>
          {t('limit_is', { limit: format.duration(DELIVERY_LIMITS.answerMs) })}
        </Figure>
      )}
      <Figure name={t('waiting')} value={counted(pending, format)}>
        {health.oldestPendingAt === null
          ? t('none_waits')
          : t('oldest', { time: format.near(health.oldestPendingAt) })}
        {held.count > 0 && (
          <div>
            {held.isMore
              ? t('held_title_least', { n: held.count })
              : t('held_title', { n: held.count })}{' '}
            {endpoint.isOn && endpoint.failuresInRow > 0 && (
              <Button size="xs" variant="subtle" onClick={() => setReleasing(true)}>
                {t('send_held')}
              </Button>
            )}
          </div>
        )}
      </Figure>
      {isReleasing && (
        <ResendJobDialog
          endpoint={endpoint}
          job={{ kind: 'held' }}
          onClose={() => setReleasing(false)}
        />
      )}
    </section>
  )
}

function counted(
  { count, isMore }: { count: number; isMore: boolean },
  format: ReturnType<typeof useFormat>,
): string {
  return isMore ? `${format.number(count)}+` : format.number(count)
}

function Figure({
  name,
  value,
  children,
}: {
  name: ReactNode
  value: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={styles.figure}>
      <span className={layout.small}>{name}</span>
      <strong>
        <bdi>{value}</bdi>
      </strong>
      <div className={layout.small}>{children}</div>
    </div>
  )
}

function Settings({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const list = useWords(webhooksWords)
  const company = useCompanyId()
  return (
    <Panel
      title={t('settings')}
      end={
        <Link
          to={PAGE}
          params={{ company, endpoint: endpoint.id }}
          search={{ tab: 'settings' }}
          className={styles.link}
        >
          {t('edit')}
        </Link>
      }
    >
      <Details
        items={[
          [t('version'), <Ltr key="version">{endpoint.apiVersion}</Ltr>],
          [
            t('sends'),
            list('types_of', {
              n: endpoint.eventTypes.length,
              limit: EVENT_TYPES.length,
            }),
          ],
          [t('made'), <Time key="made" at={endpoint.createdAt} />],
        ]}
      />
    </Panel>
  )
}
