import { useInfiniteQuery } from '@tanstack/react-query'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { RunView } from '../../contract/dashboard/run.ts'
import { RUN_STATUSES } from '../../core/vocabulary/flows.ts'
import { runStatusWords } from '../../core/words/run-status-words.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { type Column } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { RunPill } from './RunPill.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { useFilters } from '../app/use-filters.ts'
import { FilterSelect } from '../parts/FilterMenu.tsx'
import { runsWords } from './words.ts'

/**
 * Runs are read at an interval because the live stream has no events for them: a busy company has thousands an hour.
 */
const READ_AGAIN_MS = 5_000

/** The page that lists the runs of all flows, with filters. */
export function Runs() {
  const t = useWords(runsWords)
  const nameOfStatus = useWords(runStatusWords)
  const api = useApi()
  const go = useGo()
  const filters = useFilters('runs', { text: 'customer' })
  const { status, flow, customer } = filters.search
  const list = useInfiniteQuery({
    ...api.list('runs', { status, flowId: flow, q: customer }),
    refetchInterval: READ_AGAIN_MS,
  })
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      filters={filters}
      search={t('customer_search')}
      find={
        <FilterSelect
          label={t('status')}
          w={180}
          options={RUN_STATUSES.map((value) => ({ value, label: nameOfStatus(value) }))}
          {...filters.of('status')}
        />
      }
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => void go('runs/$run', { run: id })}
      empty={
        <Empty title={t('none')} act={<PageButton to="flows">{t('to_flows')}</PageButton>}>
          {t('none_why')}
        </Empty>
      }
    />
  )
}

function useColumns(): Column<RunView>[] {
  const t = useWords(runsWords)
  return [
    { head: t('status'), cell: ({ status }) => <RunPill status={status} /> },
    {
      head: t('customer'),
      cell: ({ id, contact }) => (
        <PageLink to="runs/$run" params={{ run: id }}>
          {contact?.name == null ? (
            <Ltr>{contact?.phone ?? t('number_withheld')}</Ltr>
          ) : (
            <bdi>{contact.name}</bdi>
          )}
        </PageLink>
      ),
    },
    { phone: 'quiet', head: t('flow'), cell: ({ flow }) => <bdi>{flow.name}</bdi> },
    { phone: 'gone', head: t('trigger'), cell: ({ triggerKind }) => t(triggerKind) },
    { head: t('why'), cell: ({ endDetail }) => endDetail?.text ?? '' },
    {
      phone: 'end',
      head: t('started'),
      isFigure: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}
