import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { PageLink, PageButton } from '../parts/PageLink.tsx'
import type { JobFilter } from '../../contract/dashboard/delivery.ts'
import type { JobCount, ResendJobDetail } from '../../contract/dashboard/resend-job.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { Crumbs } from '../parts/Crumbs.tsx'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Banner, Details, PageHeader, Panel, ReadState } from '../parts/Page.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { Time } from '../parts/Time.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useFormat, type Format } from '../words/format.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import { JobPill } from './job-state.tsx'
import { jobQuery } from './queries.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { jobWords } from './words-jobs.ts'
import { logWords } from './words-log.ts'

/** The page of one resend job, with its progress. */
export function Job() {
  const api = useApi()
  const { job: id } = useParams({ from: '/p/$company/webhooks/jobs/$job' })
  const job = useQuery(jobQuery(api, id))
  return job.data ? <One job={job.data} /> : <ReadState of={job} />
}

function One({ job }: { job: ResendJobDetail }) {
  const t = useWords(jobWords)
  const format = useFormat()
  const { made, matched, left, pace, state, reason, endpoint, kind } = job
  const sent = { n: made, limit: matched.count }
  const isOver = state === 'done' || state === 'cancelled'
  return (
    <>
      <Crumbs
        items={[
          <PageLink key="jobs" to="webhooks/jobs">
            {t('title')}
          </PageLink>,
          <bdi key="name">{endpoint.name}</bdi>,
        ]}
      />
      <PageHeader
        title={t(`page_title_${kind}`, { name: endpoint.name })}
        pill={<JobPill state={state} />}
        lead={
          <Rich
            words={jobWords}
            say="page_lead"
            with={{ pace: t('pace_of', { n: pace }), time: <Time at={job.createdAt} /> }}
          />
        }
        acts={<Acts job={job} />}
      />
      {reason && <Banner tone={state === 'paused' ? 'warn' : 'off'} title={reason.message.text} />}
      <div className={`${styles.stack} ${styles.narrow}`}>
        <Panel title={t('progress')}>
          <div className={layout.fields}>
            <ProgressBar
              value={made}
              limit={matched.count}
              label={t(matched.isAtLeast ? 'sent_of_least' : 'sent_of', sent)}
              end={
                !isOver &&
                left.count > 0 && (
                  <span className={layout.count}>
                    {t('time_left', {
                      time: format.duration(Math.ceil(left.count / pace) * SECOND_MS),
                    })}
                  </span>
                )
              }
            />
            <section className={styles.figures}>
              <Figure name={t('delivered')} count={job.delivered} format={format} />
              <Figure name={t('failed')} count={job.failed} format={format} />
              <Figure name={t('under_way')} count={job.underWay} format={format} />
              <Figure name={t('left')} count={left} format={format} />
            </section>
            {job.passedOver > 0 && (
              <p className={styles.help}>
                {t('passed_over')}: <bdi>{format.number(job.passedOver)}</bdi>
              </p>
            )}
          </div>
        </Panel>
        {kind === 'resend' && (
          <Panel title={t('filter')}>
            <Filter filter={job.filter} />
          </Panel>
        )}
        <div>
          <PageButton
            to="webhooks/$endpoint/deliveries"
            params={{ endpoint: endpoint.id }}
            search={{ from: job.createdAt, ...(kind === 'resend' && { kind: 'resend' }) }}
          >
            {t('see_made')}
          </PageButton>
        </div>
      </div>
    </>
  )
}

function Figure({ name, count, format }: { name: ReactNode; count: JobCount; format: Format }) {
  return (
    <div className={styles.figure}>
      <span className={layout.small}>{name}</span>
      <strong>
        <bdi>{`${format.number(count.count)}${count.isAtLeast ? '+' : ''}`}</bdi>
      </strong>
    </div>
  )
}

/** The filter of a job, with the names that the log uses. */
function Filter({ filter }: { filter: JobFilter }) {
  const t = useWords(jobWords)
  const log = useWords(logWords)
  const { from, to, type, state, status, statusClass, error, view } = filter
  const items: (readonly [ReactNode, ReactNode])[] = []
  if (view !== undefined) items.push([log('view'), log(`view_${view}`)])
  if (from !== undefined) items.push([log('filter_range'), <SinceTime key="from" at={from} />])
  if (to !== undefined) items.push([log('filter_range'), <UntilTime key="to" at={to} />])
  if (type !== undefined) items.push([log('filter_type'), <Ltr key="type">{type}</Ltr>])
  if (state !== undefined) items.push([log('filter_state'), log(state)])
  if (status !== undefined) items.push([log('filter_answer'), <Ltr key="status">{status}</Ltr>])
  if (statusClass !== undefined) {
    items.push([log('filter_answer'), <Ltr key="class">{`${statusClass}XX`}</Ltr>])
  }
  if (error !== undefined) items.push([log('filter_error'), log(error)])
  if (filter.contactId !== undefined) {
    items.push([log('customer'), <Ltr key="contact">{filter.contactId}</Ltr>])
  }
  return items.length === 0 ? t('everything') : <Details items={items} />
}

function SinceTime({ at }: { at: string }) {
  return <Rich words={logWords} say="since_time" with={{ time: <Time at={at} /> }} />
}

function UntilTime({ at }: { at: string }) {
  return <Rich words={logWords} say="until_time" with={{ time: <Time at={at} /> }} />
}

function Acts({ job }: { job: ResendJobDetail }) {
  const t = useWords(jobWords)
  const api = useApi()
  const act = (what: 'pause' | 'resume' | 'cancel') =>
    api.post(`resend-jobs/:jobId/${what}`, { jobId: job.id })
  if (job.state === 'done' || job.state === 'cancelled') return null
  const other = job.state === 'running' ? 'pause' : 'resume'
  return (
    <>
      <ConfirmButton
        label={t('cancel')}
        isGrave
        title={t('cancel_ask')}
        keep={t('cancel_keep')}
        send={() => act('cancel')}
      >
        {t('cancel_text')}
      </ConfirmButton>
      <ActButton
        variant="filled"
        leftSection={<Icon name={other === 'pause' ? 'pause' : 'play'} />}
        act={() => act(other)}
      >
        {t(other)}
      </ActButton>
    </>
  )
}
