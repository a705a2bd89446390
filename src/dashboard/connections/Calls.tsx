import { Select, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { changeSearch } from '../app/search-params.ts'
import { useGo } from '../app/pages.ts'
import type { CallView } from '../../contract/dashboard/call.ts'
import { CALL_SOURCES } from '../../vocabulary/calls.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { Crumbs } from '../parts/Crumbs.tsx'
import { FilterChip, ListTable, Toolbar, type Column } from '../parts/List.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { connectionsQuery } from './queries.ts'
import type { CallSearch } from './search.ts'
import { callsWords } from './words-calls.ts'

const READ_AGAIN_MS = 10_000
const STATUS = /^[1-5][0-9]{2}$/

/** Every call of the last 14 days through the connections. */
export function Calls() {
  const t = useWords(callsWords)
  const api = useApi()
  const search = useSearch({ from: '/p/$company/connections/calls' })
  const { connection, source, outcome, status, run, action } = search
  const list = useInfiniteQuery({
    ...api.list('calls', {
      connectionId: connection,
      source,
      outcome,
      ...(status && STATUS.test(status) && { status }),
      runId: run,
      actionId: action,
    }),
    refetchInterval: READ_AGAIN_MS,
  })
  const change = useChange()
  return (
    <>
      <Crumbs items={[t('title')]} />
      <PageHeader title={t('title')} lead={t('lead')} />
      <Filters search={search} />
      <ListTable
        label={t('title')}
        list={list}
        items={list.data?.items ?? []}
        columns={useColumns()}
        isFiltered={Object.keys(search).length > 0}
        onClearFilters={() => change({})}
        empty={<Empty title={t('none')}>{t('none_why')}</Empty>}
      />
    </>
  )
}

function useChange(): (next: CallSearch) => void {
  const go = useGo()
  return (next) => void go('connections/calls', {}, next)
}

function Filters({ search }: { search: CallSearch }) {
  const t = useWords(callsWords)
  const api = useApi()
  const change = useChange()
  const connections = useQuery(connectionsQuery(api)).data?.items ?? []
  const set = <Name extends keyof CallSearch>(name: Name, value: CallSearch[Name] | null) =>
    change(changeSearch<CallSearch>(search, { [name]: value }))
  return (
    <Toolbar chosen={Object.values(search)}>
      <Select
        aria-label={t('connection')}
        placeholder={t('connection')}
        clearable
        w={200}
        value={search.connection ?? null}
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(value) => set('connection', value)}
      />
      <Select
        aria-label={t('source')}
        placeholder={t('source')}
        clearable
        w={160}
        value={search.source ?? null}
        data={CALL_SOURCES.map((value) => ({ value, label: t(`source_${value}`) }))}
        onChange={(value) => set('source', value)}
      />
      <Select
        aria-label={t('outcome')}
        placeholder={t('outcome')}
        clearable
        w={140}
        value={search.outcome ?? null}
        data={[
          { value: 'success', label: t('success') },
          { value: 'failed', label: t('failed') },
        ]}
        onChange={(value) => set('outcome', value as CallSearch['outcome'])}
      />
      <TextInput
        dir="ltr"
        inputMode="numeric"
        aria-label={t('status')}
        placeholder="404"
        w={88}
        maxLength={3}
        defaultValue={search.status ?? ''}
        onChange={(event) => {
          const text = event.currentTarget.value
          if (text === '' || STATUS.test(text)) set('status', text)
        }}
      />
      {search.run !== undefined && (
        <FilterChip label={t('one_run')} isOn onClick={() => set('run', null)} />
      )}
      {search.action !== undefined && (
        <FilterChip label={t('one_action')} isOn onClick={() => set('action', null)} />
      )}
    </Toolbar>
  )
}

function useColumns(): Column<CallView>[] {
  const t = useWords(callsWords)
  const format = useFormat()
  return [
    {
      key: 'outcome',
      head: t('outcome'),
      cell: ({ failure, httpStatus }) => (
        <Pill tone={failure === null ? 'ok' : 'bad'}>
          {httpStatus === null ? t('no_answer') : <Ltr>{httpStatus}</Ltr>}
        </Pill>
      ),
    },
    {
      key: 'request',
      phone: 'line',
      head: t('request'),
      cell: ({ method, host, path, isRepeat }) => (
        <>
          <Ltr>
            {method} {host}
            {path}
          </Ltr>
          {isRepeat && <div>{t('repeat')}</div>}
        </>
      ),
    },
    {
      key: 'why',
      phone: 'line',
      head: t('why'),
      cell: ({ failure }) => (failure === null ? '' : t(failure)),
    },
    {
      key: 'source',
      phone: 'quiet',
      head: t('source'),
      cell: ({ source }) => <Source source={source} />,
    },
    {
      key: 'connection',
      phone: 'gone',
      head: t('connection'),
      cell: ({ connection: { id, name, isDeleted } }) =>
        isDeleted ? (
          <>
            <bdi>{name}</bdi> ({t('deleted')})
          </>
        ) : (
          <PageLink to="connections/$connection" params={{ connection: id }}>
            <bdi>{name}</bdi>
          </PageLink>
        ),
    },
    {
      key: 'took',
      phone: 'quiet',
      head: t('took'),
      isFigure: true,
      cell: ({ durationMs }) => format.milliseconds(durationMs),
    },
    {
      key: 'at',
      phone: 'end',
      head: t('at'),
      isFigure: true,
      cell: ({ startedAt }) => <Time at={startedAt} />,
    },
  ]
}

function Source({ source }: { source: CallView['source'] }) {
  const t = useWords(callsWords)
  if (source.kind === 'step') {
    return (
      <PageLink to="runs/$run" params={{ run: source.runId }}>
        {t('source_step')}
      </PageLink>
    )
  }
  if (source.kind === 'action') {
    return (
      <PageLink to="actions/$action" params={{ action: source.actionId }}>
        {t('source_action')}
      </PageLink>
    )
  }
  return t('source_test')
}
