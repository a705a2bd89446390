import { Button, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { changeSearch } from '../app/search-params.ts'
import { PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { RunView } from '../../contract/dashboard/run.ts'
import { RUN_STATUSES } from '../../vocabulary/flows.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { ListTable, SearchBox, Toolbar, type Column } from '../parts/List.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import type { RunSearch } from './search.ts'
import { RunPill } from './RunPill.tsx'
import { runsWords } from './words.ts'

/** Runs have no stream of their own: a busy shop has thousands an hour. */
const READ_AGAIN_MS = 5_000

export function Runs() {
  const t = useWords(runsWords)
  const api = useApi()
  const search = useSearch({ from: '/p/$company/runs' })
  const go = useGo()
  const change = (next: RunSearch) => void go('runs', {}, next)
  const { status, flow, customer } = search
  const list = useInfiniteQuery({
    ...api.list('runs', { status, flowId: flow, q: customer }),
    refetchInterval: READ_AGAIN_MS,
  })
  const items = list.data?.items ?? []
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Toolbar chosen={[status]}>
        <SearchBox
          label={t('customer_search')}
          value={customer ?? ''}
          onSearch={(text) => change(changeSearch(search, { customer: text }))}
        />
        <Select
          aria-label={t('status')}
          placeholder={t('status')}
          clearable
          w={180}
          value={status ?? null}
          data={RUN_STATUSES.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => change(changeSearch(search, { status: value }))}
        />
      </Toolbar>
      <ListTable
        label={t('title')}
        list={list}
        items={items}
        columns={useColumns()}
        isFiltered={Object.keys(search).length > 0}
        onClearFilters={() => change({})}
        onOpen={({ id }) => void go('runs/$run', { run: id })}
        empty={
          <Empty
            title={t('none')}
            act={
              <Button renderRoot={(props) => <PageLink to="flows" {...props} />}>
                {t('to_flows')}
              </Button>
            }
          >
            {t('none_why')}
          </Empty>
        }
      />
    </>
  )
}

function useColumns(): Column<RunView>[] {
  const t = useWords(runsWords)
  return [
    { key: 'status', head: t('status'), cell: ({ status }) => <RunPill status={status} /> },
    {
      key: 'customer',
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
    { key: 'flow', phone: 'quiet', head: t('flow'), cell: ({ flow }) => <bdi>{flow.name}</bdi> },
    {
      key: 'trigger',
      phone: 'gone',
      head: t('trigger'),
      cell: ({ triggerKind }) => t(triggerKind),
    },
    { key: 'why', head: t('why'), cell: ({ endDetail }) => endDetail?.text ?? '' },
    {
      key: 'started',
      phone: 'end',
      head: t('started'),
      isFigure: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}
