import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { PageButton } from '../parts/PageLink.tsx'
import type { ResendJobView } from '../../contract/dashboard/resend-job.ts'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { ListTable } from '../parts/List.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { JobPill } from './job-state.tsx'
import styles from './webhooks.module.css'
import { jobWords } from './words-jobs.ts'

const JOB = '/p/$company/webhooks/jobs/$job'
const LOOKED_AT_EVERY_MS = 3_000

export function Jobs() {
  const t = useWords(jobWords)
  const api = useApi()
  const company = useCompanyId()
  const navigate = useNavigate()
  const list = useInfiniteQuery({
    ...api.list('resend-jobs'),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((job) => job.state === 'running'))
        ? LOOKED_AT_EVERY_MS
        : false,
  })
  const toLog = <PageButton to="webhooks/deliveries">{t('to_log')}</PageButton>
  return (
    <>
      <Crumbs items={[t('title')]} />
      <PageHeader title={t('title')} lead={t('lead')} acts={toLog} />
      <ListTable<ResendJobView>
        label={t('list')}
        list={list}
        items={list.data?.items ?? []}
        onOpen={({ id }) => void navigate({ to: JOB, params: { company, job: id } })}
        empty={
          <Empty title={t('none')} act={toLog}>
            {t('none_why')}
          </Empty>
        }
        columns={[
          { key: 'state', head: t('state'), cell: (job) => <JobPill state={job.state} /> },
          {
            key: 'what',
            head: t('what'),
            phone: 'line',
            cell: (job) => (
              <Link
                to={JOB}
                params={{ company, job: job.id }}
                className={styles.name}
                onClick={(event) => event.stopPropagation()}
              >
                {t(`kind_${job.kind}`)}
              </Link>
            ),
          },
          {
            key: 'endpoint',
            head: t('endpoint'),
            cell: ({ endpoint }) => <bdi>{endpoint.name}</bdi>,
          },
          {
            key: 'progress',
            head: t('progress'),
            isFigure: true,
            cell: ({ made, matched }) =>
              t(matched.isAtLeast ? 'sent_of_least' : 'sent_of', {
                n: made,
                limit: matched.count,
              }),
          },
          {
            key: 'at',
            head: t('made_at'),
            isFigure: true,
            phone: 'end',
            cell: ({ createdAt }) => <Time at={createdAt} />,
          },
        ]}
      />
    </>
  )
}
