import { useInfiniteQuery } from '@tanstack/react-query'
import { useGo } from '../app/pages.ts'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useApi } from '../app/resources.ts'
import { Empty } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { JobPill } from './job-state.tsx'
import styles from './webhooks.module.css'
import { ListPage } from '../parts/ListPage.tsx'
import { jobWords } from './words-jobs.ts'

const LOOKED_AT_EVERY_MS = 3_000

/** The page that lists the resend jobs. */
export function Jobs() {
  const t = useWords(jobWords)
  const api = useApi()
  const go = useGo()
  const list = useInfiniteQuery({
    ...api.list('resend-jobs'),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((job) => job.state === 'running'))
        ? LOOKED_AT_EVERY_MS
        : false,
  })
  const toLog = <PageButton to="webhooks/deliveries">{t('to_log')}</PageButton>
  return (
    <ListPage
      isBelow
      title={t('title')}
      lead={t('lead')}
      acts={toLog}
      label={t('list')}
      list={list}
      onOpen={({ id }) => void go('webhooks/jobs/$job', { job: id })}
      empty={
        <Empty title={t('none')} act={toLog}>
          {t('none_why')}
        </Empty>
      }
      columns={[
        { head: t('state'), cell: (job) => <JobPill state={job.state} /> },
        {
          head: t('what'),
          phone: 'line',
          cell: (job) => (
            <PageLink to="webhooks/jobs/$job" params={{ job: job.id }} className={styles.name}>
              {t(`kind_${job.kind}`)}
            </PageLink>
          ),
        },
        { head: t('endpoint'), cell: ({ endpoint }) => <bdi>{endpoint.name}</bdi> },
        {
          head: t('progress'),
          isFigure: true,
          cell: ({ made, matched }) =>
            t(matched.isAtLeast ? 'sent_of_least' : 'sent_of', {
              n: made,
              limit: matched.count,
            }),
        },
        {
          head: t('made_at'),
          isFigure: true,
          phone: 'end',
          cell: ({ createdAt }) => <Time at={createdAt} />,
        },
      ]}
    />
  )
}
