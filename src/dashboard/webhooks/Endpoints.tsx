import { useQuery } from '@tanstack/react-query'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { ListedEndpoint } from '../../contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { type Column } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { Sparkline } from '../parts/Sparkline.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat, type Format } from '../words/format.ts'
import { useNarrowRows } from '../parts/use-is-phone-width.ts'
import { useWords } from '../words/use-words.tsx'
import { byUrgency, EndpointPill, UrlText } from './endpoint-state.tsx'
import { lastHours } from './hours.ts'
import { PlanBanner } from './PlanBanner.tsx'
import { endpointsQuery, FIGURES_EVERY_MS } from './queries.ts'
import styles from './webhooks.module.css'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { webhooksWords } from './words.ts'

const LIMIT = DELIVERY_LIMITS.endpointsPerCompany

/** The page that lists the endpoints that receive webhooks, with their state and figures. */
export function Endpoints() {
  const t = useWords(webhooksWords)
  const api = useApi()
  const go = useGo()
  const list = useQuery({ ...endpointsQuery(api), refetchInterval: FIGURES_EVERY_MS })
  const endpoints = (list.data ?? []).toSorted(byUrgency)
  const n = endpoints.length
  const isFull = n >= LIMIT
  const add = (
    <AddButton to="webhooks/new" isOff={isFull}>
      {t('add')}
    </AddButton>
  )
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={
        <>
          <PageButton to="webhooks/jobs">{t('resend_jobs')}</PageButton>
          <PageButton to="webhooks/deliveries">{t('all_deliveries')}</PageButton>
          {add}
        </>
      }
      above={<PlanBanner />}
      label={t('list')}
      list={list}
      items={endpoints}
      columns={useColumns()}
      onOpen={({ id }) => void go('webhooks/$endpoint', { endpoint: id })}
      empty={
        <Empty title={t('none')} act={add}>
          {t('none_why')}
        </Empty>
      }
    >
      {n > 0 && (
        <p className={styles.quiet}>{t(isFull ? 'all_used' : 'count_of', { n, limit: LIMIT })}</p>
      )}
    </ListPage>
  )
}

function useColumns(): readonly Column<ListedEndpoint>[] {
  const t = useWords(webhooksWords)
  const format = useFormat()
  return [
    {
      head: t('endpoint'),
      phone: 'line',
      cell: (endpoint) => (
        <div className={styles.named}>
          <PageLink
            to="webhooks/$endpoint"
            params={{ endpoint: endpoint.id }}
            className={styles.name}
            named={endpoint.name}
          />
          <span className={styles.url}>
            <Ltr>
              <UrlText url={endpoint.url} />
            </Ltr>
          </span>
        </div>
      ),
    },
    { head: t('state'), cell: (endpoint) => <EndpointPill endpoint={endpoint} /> },
    { head: t('last_day'), phone: 'end', cell: ({ day }) => <Day day={day} format={format} /> },
    {
      head: t('in_row'),
      isFigure: true,
      phone: 'hidden',
      cell: ({ failuresInRow }) =>
        failuresInRow === 0
          ? null
          : t('in_row_of', {
              n: failuresInRow,
              limit: DELIVERY_LIMITS.switchOffAfterFailuresInRow,
            }),
    },
    {
      head: t('since'),
      phone: 'hidden',
      cell: ({ failingSince }) => failingSince !== null && <Time at={failingSince} />,
    },
    {
      head: t('types'),
      isFigure: true,
      phone: 'hidden',
      cell: ({ eventTypes }) => t('types_of', { n: eventTypes.length, limit: EVENT_TYPES.length }),
    },
    { head: t('version'), phone: 'hidden', cell: ({ apiVersion }) => <Ltr>{apiVersion}</Ltr> },
    {
      head: t('last_attempt'),
      isFigure: true,
      phone: 'hidden',
      cell: ({ lastSuccessAt, lastFailureAt }) => {
        const at = [lastSuccessAt, lastFailureAt]
          .filter((time) => time !== null)
          .toSorted()
          .at(-1)
        return at === undefined ? t('never') : <Time at={at} />
      },
    },
  ]
}

function Day({ day, format }: { day: ListedEndpoint['day']; format: Format }) {
  const t = useWords(webhooksWords)
  const isNarrow = useNarrowRows()
  if (day.attempts === 0) return <span className={styles.quiet}>{t('nothing_sent')}</span>
  const bars = lastHours(day.hours, 24).map(({ attempts, failures }) => ({
    good: attempts - failures,
    bad: failures,
  }))
  const share = format.percent(1 - day.failures / day.attempts)
  return (
    <span className={styles.day}>
      <Sparkline bars={bars} />
      {isNarrow ? t('succeeded', { share }) : <bdi>{share}</bdi>}
    </span>
  )
}
