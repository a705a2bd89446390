import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { DELIVERY_VIEWS } from '../../core/vocabulary/deliveries.ts'
import { useApi, type Api } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { useFormat } from '../words/format.ts'
import { useManner } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import { readFilter } from './log-search.ts'
import { type LogSearch } from './log-search-params.ts'
import styles from './webhooks.module.css'
import { logWords } from './words-log.ts'

const COUNTED_EVERY_MS = 10_000

type View = 'all' | (typeof DELIVERY_VIEWS)[number]

const VIEWS: readonly View[] = ['all', ...DELIVERY_VIEWS]

const searchOf = (view: View): LogSearch => {
  if (view === 'all') return {}
  return view === 'failed' ? { view, range: 'today' } : { view }
}

/** Tabs with common filters and the number of their deliveries. */
export function LogTabs({
  search,
  endpoint,
}: {
  search: LogSearch
  endpoint: EndpointView | null
}) {
  const t = useWords(logWords)
  const format = useFormat()
  const { timeShown } = useManner()
  const api = useApi()
  const company = useCompanyId()
  const counts = useViewCounts(api, endpoint?.id)
  const open = search.view ?? 'all'
  const counted = (view: View) => {
    const found = view === 'all' || view === 'slow' ? undefined : counts?.[view]
    if (!found) return undefined
    return found.isMore ? `${format.number(found.count)}+` : format.number(found.count)
  }
  return (
    <>
      <TabBar label={t('views')}>
        {VIEWS.map((view) => (
          <TabLink
            key={view}
            {...toLog(company, endpoint)}
            search={searchOf(view)}
            isOn={view === open}
            count={counted(view)}
          >
            {t(view === 'failed' ? 'view_failed_today' : `view_${view}`)}
          </TabLink>
        ))}
      </TabBar>
      {open !== 'all' && (
        <p className={styles.help}>
          {t(open === 'failed' && search.range === 'today' ? 'note_failed_today' : `note_${open}`, {
            zone: t(`zone_${timeShown}`),
          })}
        </p>
      )}
    </>
  )
}

function toLog(company: string, endpoint: EndpointView | null) {
  return endpoint
    ? linkOptions({
        to: '/p/$company/webhooks/$endpoint/deliveries',
        params: { company, endpoint: endpoint.id },
      })
    : linkOptions({ to: '/p/$company/webhooks/deliveries', params: { company } })
}

function useViewCounts(api: Api, endpointId: string | undefined) {
  return useQuery({
    ...api.combine('deliveries/views', { endpointId }, async () => {
      const query = endpointId === undefined ? {} : { endpointId }
      const today = await readFilter(api, { range: 'today' })
      const [all, ofToday] = await Promise.all([
        api.read('deliveries/views', query),
        api.read('deliveries/views', { ...query, from: today!.from! }),
      ])
      return { ...all, failed: ofToday.failed }
    }),
    refetchInterval: COUNTED_EVERY_MS,
  }).data
}
