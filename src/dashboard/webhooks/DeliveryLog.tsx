import { Button, Menu } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useGo } from '../app/pages.ts'
import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { useApi } from '../app/resources.ts'
import { useIsLive } from '../app/live.tsx'
import { SearchBox, Toolbar } from '../parts/List.tsx'
import { ListTable } from '../parts/ListTable.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import { LogBulkBar } from './LogBulkBar.tsx'
import { useLogColumns } from './log-columns.tsx'
import { LogFilters } from './LogFilters.tsx'
import type { ChangeSearch, LogSearch } from './log-search-params.ts'
import { LogTabs } from './LogTabs.tsx'
import { useLog } from './use-log.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { logWords } from './words-log.ts'
import { showMore } from '../parts/show-more.ts'
import { useQuery } from '@tanstack/react-query'
import { readFilter, type AskedDeliveries, jobFilterOf } from './log-search.ts'
import { Icon } from '../parts/Icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useEndpointNames } from './endpoint-names.ts'
import { useIsInPlan } from './PlanBanner.tsx'
import { ResendJobDialog } from './ResendJobDialog.tsx'

/** The delivery log of one endpoint, or of all. */
export function DeliveryLog({
  search,
  endpoint,
  acts,
  onSearch,
}: {
  search: LogSearch
  /** Null for the log of all endpoints. */
  endpoint: EndpointView | null
  acts?: ReactNode
  /** Changes the named filters; undefined removes one. */
  onSearch: (search: LogSearch) => void
}) {
  const t = useWords(logWords)
  const api = useApi()
  const asked = endpoint ? { ...search, endpointId: endpoint.id } : search
  const log = useLog(api, asked)
  const change: ChangeSearch = (changes) => onSearch(withoutNothing({ ...search, ...changes }))
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={
          endpoint ? (
            <Rich
              words={logWords}
              say="lead_one"
              with={{ name: <strong>{endpoint.name}</strong> }}
            />
          ) : (
            t('lead')
          )
        }
        acts={
          <>
            <LiveMark />
            <ExportMenu asked={log.asked} />
            {acts}
          </>
        }
      />
      <LogTabs search={search} endpoint={endpoint} />
      <Toolbar
        search={
          <SearchBox
            value={search.q ?? ''}
            label={t('search')}
            onSearch={(q) => change({ q: q.trim() === '' ? undefined : q.trim() })}
          />
        }
        count={Object.keys(search).filter((name) => name !== 'q' && name !== 'view').length}
        end={
          <span className={layout.row}>
            <DeliveryTotal search={asked} />
            <ResendAll asked={log.asked} endpoint={endpoint} />
          </span>
        }
      >
        <LogFilters search={search} hasEndpoint={endpoint !== null} onChange={change} />
      </Toolbar>
      <Rows
        log={log}
        hasEndpoint={endpoint !== null}
        isFiltered={Object.keys(search).length > 0}
        onClear={() => onSearch({})}
      />
    </>
  )
}

function withoutNothing(search: object): object {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

function LiveMark() {
  const t = useWords(logWords)
  return useIsLive() ? <span className={styles.live}>{t('live')}</span> : null
}

function Rows({
  log,
  hasEndpoint,
  isFiltered,
  onClear,
}: {
  log: ReturnType<typeof useLog>
  hasEndpoint: boolean
  isFiltered: boolean
  onClear(): void
}) {
  const t = useWords(logWords)
  const format = useFormat()
  const go = useGo()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const columns = useLogColumns(hasEndpoint)
  const { list, items, newer } = log
  const goesOn = items.length === 0 && list.hasNextPage
  const n = newer.size
  return (
    <>
      {n > 0 && (
        <button type="button" className={styles.newer} onClick={log.showNewer}>
          {t('newer', { n })}
        </button>
      )}
      {goesOn ? (
        <Continue log={log} />
      ) : (
        <ListTable<DeliveryView>
          label={t('list')}
          list={list}
          items={items}
          columns={columns}
          isFiltered={isFiltered}
          onClearFilters={onClear}
          selected={selected}
          onSelect={setSelected}
          nameOf={({ type, createdAt }) => `${type} ${format.timeWithSeconds(createdAt)}`}
          groupOf={({ createdAt }) => format.dayHeading(createdAt)}
          isNew={({ id }) => log.fresh.has(id)}
          onOpen={({ id }) => void go('webhooks/deliveries/$delivery', { delivery: id })}
          empty={<Empty title={t('none')}>{t('none_why')}</Empty>}
        />
      )}
      {!goesOn && list.hasNextPage && items.length < 10 && <Continue log={log} />}
      <LogBulkBar
        deliveries={items.filter(({ id }) => selected.has(id))}
        onResent={(id) => setSelected((before) => without(before, id))}
        onClear={() => setSelected(new Set())}
      />
    </>
  )
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id))
}

/**
 * A notice that a page of a sparse search ended before it had any match: how far back the search went, and a button to
 * continue.
 */
function Continue({ log }: { log: ReturnType<typeof useLog> }) {
  const t = useWords(logWords)
  if (log.searchedTo === null) return null
  return (
    <Empty
      title={<Rich words={logWords} say="further" with={{ time: <Time at={log.searchedTo} /> }} />}
      act={
        <Button loading={log.list.isFetchingNextPage} onClick={() => void showMore(log.list)}>
          {t('search_on')}
        </Button>
      }
    />
  )
}

const COUNTED_EVERY_MS = 10_000

/** The total number of deliveries, counted up to a limit. */
function DeliveryTotal({ search }: { search: LogSearch }) {
  const t = useWords(logWords)
  const api = useApi()
  const total = useQuery({
    ...api.combine('deliveries/count', search, async () => {
      const asked = await readFilter(api, search)
      if (asked === null) return { count: 0, isMore: false }
      return api.read('deliveries/count', asked)
    }),
    refetchInterval: COUNTED_EVERY_MS,
  }).data
  if (!total) return null
  return total.isMore ? t('total_least', { n: total.count }) : t('total', { n: total.count })
}

const FORMATS = ['csv', 'ndjson'] as const

/** A menu that exports the filtered deliveries as a file. */
function ExportMenu({ asked }: { asked: AskedDeliveries | null }) {
  const t = useWords(logWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const save = (format: (typeof FORMATS)[number]) =>
    run(async () => {
      const { status, statusClass, ...same } = asked ?? {}
      const file = await api.call('post', 'delivery-exports', {
        ...same,
        ...(status !== undefined && { status: Number(status) }),
        ...(statusClass !== undefined && { statusClass: Number(statusClass) }),
        format,
      })
      saveFile(file, `deliveries.${format}`)
      toastSuccess(t('exported'))
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<Icon name="download" />} loading={isBusy} disabled={asked === null}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {t(`export_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A button that resends all filtered deliveries of one endpoint by a job. At least one filter is required. */
function ResendAll({
  asked,
  endpoint,
}: {
  asked: AskedDeliveries | null
  endpoint: EndpointView | null
}) {
  const t = useWords(logWords)
  const [isAsking, setAsking] = useState(false)
  const isInPlan = useIsInPlan()
  const endpoints = useEndpointNames()
  const filter = asked && jobFilterOf(asked)
  const to = endpoint ?? endpoints.find(({ id }) => id === asked?.endpointId)
  if (!isInPlan || !to || !filter || Object.keys(filter).length === 0) return null
  return (
    <>
      <Button size="xs" leftSection={<Icon name="send" />} onClick={() => setAsking(true)}>
        {t('resend_all')}
      </Button>
      {isAsking && (
        <ResendJobDialog
          endpoint={to}
          job={{ kind: 'resend', filter }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
