import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { Banner, PageHeader, Panel } from '../parts/Page.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { BroadcastActs } from './BroadcastActs.tsx'
import { BroadcastPill } from './BroadcastPill.tsx'
import { doneOf, writtenTo } from './Broadcasts.tsx'
import layout from '../parts/layout.module.css'
import { CheckStep } from './CheckStep.tsx'
import { DraftForm } from './DraftForm.tsx'
import { Facts } from './Facts.tsx'
import { LeftOut } from './LeftOut.tsx'
import { Recipients } from './Recipients.tsx'
import { broadcastsWords } from './words.ts'

/** The page of a broadcast: the review of a draft, or the progress of one that has started. */
export function Broadcast() {
  const api = useApi()
  const { broadcast: id } = useParams({ from: '/p/$company/broadcasts/$broadcast' })
  const { edit } = useSearch({ from: '/p/$company/broadcasts/$broadcast' })
  const { data: broadcast } = useSuspenseQuery(
    api.get('broadcasts/:broadcastId', { broadcastId: id }),
  )
  useLiveQuery('broadcast', api.key('broadcasts'))
  if (broadcast.state !== 'draft') return <Begun broadcast={broadcast} />
  return edit ? <DraftForm broadcast={broadcast} /> : <CheckStep broadcast={broadcast} />
}

function Begun({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const { name, state, reason, total, leftOut } = broadcast
  const done = doneOf(broadcast)
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{name}</bdi>}
        pill={<BroadcastPill state={state} />}
        lead={<When broadcast={broadcast} />}
        acts={<BroadcastActs broadcast={broadcast} />}
      />
      {reason !== null && <Banner tone="warn" title={reason.text} />}
      <div className={layout.columns}>
        <div className={layout.stack}>
          {total > 0 && (
            <Panel title={t('progress')}>
              <div className={layout.fields}>
                <ProgressBar value={done} limit={total} label={t('of_total', { done, n: total })} />
                <p className={layout.quiet}>{t('written_to', { n: writtenTo(broadcast) })}</p>
                <LeftOut reasons={leftOut} />
              </div>
            </Panel>
          )}
          <Recipients broadcast={broadcast} />
        </div>
        <Facts broadcast={broadcast} />
      </div>
    </>
  )
}

function When({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  const { state, sendAt, startedAt, endedAt, endsAt } = broadcast
  if (endedAt !== null) return t('ended', { time: format.dateTime(endedAt) })
  if (endsAt !== null) return t('ends_at', { time: format.dateTime(endsAt) })
  if (state === 'scheduled' && sendAt !== null) {
    return t('begins_at', { time: format.dateTime(sendAt) })
  }
  return startedAt === null ? null : t('began', { time: format.dateTime(startedAt) })
}
