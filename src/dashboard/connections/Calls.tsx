import { TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CallView } from '../../contract/dashboard/call.ts'
import { CALL_SOURCES } from '../../core/vocabulary/calls.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { FilterChip } from '../parts/List.tsx'
import { type Column } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { connectionsQuery } from './queries.ts'
import type { CallSearch } from './search.ts'
import { ListPage } from '../parts/ListPage.tsx'
import { FilterSelect } from '../parts/FilterMenu.tsx'
import { useFilters, type Filters } from '../app/use-filters.ts'
import { callsWords } from './words-calls.ts'

const READ_AGAIN_MS = 10_000
const STATUS = /^[1-5][0-9]{2}$/

/** The log of all calls of the last 14 days through the connections. */
export function Calls() {
  const t = useWords(callsWords)
  const api = useApi()
  const filters = useFilters('connections/calls')
  const { connection, source, outcome, status, run, action } = filters.search
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
  return (
    <ListPage
      isBelow
      title={t('title')}
      lead={t('lead')}
      filters={filters}
      find={<Choices filters={filters} />}
      list={list}
      columns={useColumns()}
      empty={<Empty title={t('none')}>{t('none_why')}</Empty>}
    />
  )
}

function Choices({ filters }: { filters: Filters<CallSearch> }) {
  const t = useWords(callsWords)
  const connections = useQuery(connectionsQuery(useApi())).data?.items ?? []
  const { status, run, action } = filters.search
  return (
    <>
      <FilterSelect
        label={t('connection')}
        w={200}
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
        {...filters.of('connection')}
      />
      <FilterSelect
        label={t('source')}
        w={160}
        options={CALL_SOURCES.map((value) => ({ value, label: t(`source_${value}`) }))}
        {...filters.of('source')}
      />
      <FilterSelect
        label={t('outcome')}
        w={140}
        options={(['success', 'failed'] as const).map((value) => ({ value, label: t(value) }))}
        {...filters.of('outcome')}
      />
      <StatusField value={status ?? ''} onChange={(next) => filters.change({ status: next })} />
      {run !== undefined && <FilterChip label={t('one_run')} {...filters.chip('run', run)} />}
      {action !== undefined && (
        <FilterChip label={t('one_action')} {...filters.chip('action', action)} />
      )}
    </>
  )
}

/** A field for a response status of three digits. While it is incomplete, it filters nothing. */
function StatusField({ value, onChange }: { value: string; onChange(status: string): void }) {
  const t = useWords(callsWords)
  const [typed, setTyped] = useState(value)
  const lastReported = useRef(value)
  useEffect(() => {
    if (value !== lastReported.current) setTyped(value)
    lastReported.current = value
  }, [value])
  return (
    <TextInput
      dir="ltr"
      inputMode="numeric"
      aria-label={t('status')}
      placeholder="404"
      w={88}
      maxLength={3}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value
        const next = STATUS.test(text) ? text : ''
        setTyped(text)
        if (next === lastReported.current) return
        lastReported.current = next
        onChange(next)
      }}
    />
  )
}

function useColumns(): Column<CallView>[] {
  const t = useWords(callsWords)
  const format = useFormat()
  return [
    {
      head: t('outcome'),
      cell: ({ failure, httpStatus }) => (
        <Pill tone={failure === null ? 'ok' : 'bad'}>
          {httpStatus === null ? t('no_answer') : <Ltr>{httpStatus}</Ltr>}
        </Pill>
      ),
    },
    {
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
    { phone: 'line', head: t('why'), cell: ({ failure }) => (failure === null ? '' : t(failure)) },
    { phone: 'quiet', head: t('source'), cell: ({ source }) => <Source source={source} /> },
    {
      phone: 'gone',
      head: t('connection'),
      cell: ({ connection: { id, name, isDeleted } }) =>
        isDeleted ? (
          <>
            <bdi>{name}</bdi> ({t('deleted')})
          </>
        ) : (
          <PageLink to="connections/$connection" params={{ connection: id }} named={name} />
        ),
    },
    {
      phone: 'quiet',
      head: t('took'),
      isFigure: true,
      cell: ({ durationMs }) => format.milliseconds(durationMs),
    },
    {
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
