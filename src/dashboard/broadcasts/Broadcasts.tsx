import { useInfiniteQuery } from '@tanstack/react-query'
import { PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { type Column } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { BroadcastPill } from './BroadcastPill.tsx'
import styles from './broadcasts.module.css'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { broadcastsWords } from './words.ts'

/** The page that lists the broadcasts, with a button that creates one. */
export function Broadcasts() {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const go = useGo()
  useLiveQuery('broadcast', api.listKey('broadcasts'))
  const list = useInfiniteQuery(api.list('broadcasts'))
  const make = <AddButton to="broadcasts/new">{t('make')}</AddButton>
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={make}
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => void go('broadcasts/$broadcast', { broadcast: id })}
      empty={
        <Empty title={t('none')} act={make}>
          {t('none_why')}
        </Empty>
      }
    />
  )
}

/** Returns the number of recipients that were messaged or skipped. */
export const doneOf = ({ total, counts }: BroadcastView) => total - (counts.pending ?? 0)

const WENT_OUT = ['accepted', 'sent', 'delivered', 'read'] as const

/** Counts the recipients whose message the provider accepted, without queued, failed and unknown ones. */
export const writtenTo = ({ counts }: BroadcastView): number =>
  WENT_OUT.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)

function useColumns(): Column<BroadcastView>[] {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  return [
    {
      head: t('name'),
      cell: ({ id, name }) => (
        <PageLink to="broadcasts/$broadcast" params={{ broadcast: id }} named={name} />
      ),
    },
    { head: t('state'), cell: ({ state }) => <BroadcastPill state={state} /> },
    {
      head: t('progress'),
      cell: (broadcast) =>
        broadcast.total > 0 && (
          <div className={styles.narrow}>
            <ProgressBar
              value={doneOf(broadcast)}
              limit={broadcast.total}
              label={t('of_total', { done: doneOf(broadcast), n: broadcast.total })}
            />
          </div>
        ),
    },
    {
      phone: 'gone',
      head: t('ends'),
      cell: ({ endsAt, sendAt, state }) => {
        if (endsAt !== null) return t('ends_at', { time: format.dateTime(endsAt) })
        if (state !== 'scheduled' || sendAt === null) return null
        return t('begins_at', { time: format.dateTime(sendAt) })
      },
    },
    {
      phone: 'end',
      head: t('when'),
      isFigure: true,
      cell: ({ startedAt, createdAt }) => <Time at={startedAt ?? createdAt} as="near" />,
    },
  ]
}
