import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { useApi } from '../app/resources.ts'
import { Banner, Meter } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import { Time } from '../parts/Time.tsx'
import { useIsInPlan } from './PlanBanner.tsx'
import { healthQuery } from './queries.ts'
import { ResendJobDialog, type WantedJob } from './ResendJobDialog.tsx'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { endpointWords } from './words-endpoint.ts'

/** A banner with the worst problem of an endpoint: the rule behind it, its end, and what to do. */
export function HealthBanner({
  endpoint,
  onTest,
  onSwitchOn,
}: {
  endpoint: EndpointView
  onTest(): void
  onSwitchOn(): void
}) {
  if (endpoint.state === 'failing') return <Failing endpoint={endpoint} />
  if (endpoint.isOn) return <ToSend endpoint={endpoint} />
  return <Off endpoint={endpoint} onTest={onTest} onSwitchOn={onSwitchOn} />
}

function Failing({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const format = useFormat()
  const { failuresInRow: n, failingSince } = endpoint
  const limit = DELIVERY_LIMITS.switchOffAfterFailuresInRow
  if (failingSince === null) return null
  const deadline = new Date(Date.parse(failingSince) + DELIVERY_LIMITS.switchOffAfterFailingMs)
  return (
    <Banner
      tone="warn"
      title={
        <Rich
          words={endpointWords}
          say="failing_title"
          with={{ time: <Time at={failingSince} /> }}
        />
      }
      act={
        <PageButton
          to="webhooks/$endpoint/deliveries"
          params={{ endpoint: endpoint.id }}
          search={{ view: 'failed', from: failingSince }}
        >
          {t('see_failures')}
        </PageButton>
      }
    >
      {t('failing_rule', { n, limit, deadline: format.dateTime(deadline) })}
      <span className={styles.meter}>
        <Meter value={n} limit={limit} label={t('failures_of', { n, limit })} isWarning />
        <span>{t('failures_of', { n, limit })}</span>
      </span>
    </Banner>
  )
}

const OFF_TITLES = {
  failures_in_row: 'off_title_failures',
  failing_for_days: 'off_title_failures',
  gone: 'off_title_gone',
  by_member: 'off_title_member',
} as const

function Off({
  endpoint,
  onTest,
  onSwitchOn,
}: {
  endpoint: EndpointView
  onTest(): void
  onSwitchOn(): void
}) {
  const t = useWords(endpointWords)
  const isInPlan = useIsInPlan()
  const { off } = endpoint
  if (!off) return null
  return (
    <Banner
      tone={off.reason === 'by_member' ? 'off' : 'bad'}
      title={
        <Rich
          words={endpointWords}
          say={OFF_TITLES[off.reason]}
          with={{ time: <Time at={off.at} /> }}
        />
      }
      act={
        isInPlan && (
          <span className={layout.row}>
            <Button onClick={onTest}>{t('send_test')}</Button>
            <Button variant="filled" onClick={onSwitchOn}>
              {t('switch_on')}
            </Button>
          </span>
        )
      }
    >
      {off.message.text}
    </Banner>
  )
}

/** A banner for a healthy endpoint: deliveries that were held while it was off, or failed before, can be sent now. */
function ToSend({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(endpointWords)
  const api = useApi()
  const isInPlan = useIsInPlan()
  const { failedSince } = useSearch({ from: '/p/$company/webhooks/$endpoint' })
  const health = useQuery(healthQuery(api, endpoint.id, 24)).data
  const [job, setJob] = useState<WantedJob | null>(null)
  if (!health || !isInPlan) return null
  const { count, isMore, tried } = health.held
  const sendButton = (wanted: WantedJob, label: ReactNode) => (
    <Button variant="filled" onClick={() => setJob(wanted)}>
      {label}
    </Button>
  )
  return (
    <>
      {count > 0 ? (
        <Banner
          tone="busy"
          title={isMore ? t('held_title_least', { n: count }) : t('held_title', { n: count })}
          act={sendButton({ kind: 'held' }, t('send_held'))}
        >
          {t('held_text')}{' '}
          {tried > 0 && t(isMore ? 'held_tried_least' : 'held_tried', { n: tried })}
        </Banner>
      ) : (
        failedSince !== undefined && (
          <Banner
            tone="ok"
            title={t('failed_title')}
            act={sendButton(
              { kind: 'resend', filter: { view: 'failed', from: failedSince } },
              t('resend_failed'),
            )}
          >
            <Rich
              words={endpointWords}
              say="failed_text"
              with={{ time: <Time at={failedSince} /> }}
            />
          </Banner>
        )
      )}
      {job && <ResendJobDialog endpoint={endpoint} job={job} onClose={() => setJob(null)} />}
    </>
  )
}
