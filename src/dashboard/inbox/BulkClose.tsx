import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { ActButton } from '../parts/ActButton.tsx'
import { Confirm } from '../parts/Dialogs.tsx'
import { ReadState } from '../parts/Page.tsx'
import { BulkAct, BulkBar } from '../parts/List.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import styles from './inbox.module.css'
import { inParts } from './in-parts.ts'
import { tabOf, type InboxSearch } from './inbox-search.ts'
import { inboxWords } from './words.ts'

/** Resolves the selected conversations, or all that the filter finds, as a job with its progress. */
export function BulkClose({
  search,
  selected,
  onDone,
}: {
  search: InboxSearch
  selected: ReadonlySet<string>
  onDone(): void
}) {
  const t = useWords(inboxWords)
  const api = useApi()
  const { setUp } = useMay()
  const [asked, setAsked] = useState<'selected' | 'all' | null>(null)
  const [jobId, setJobId] = useState<string | null>(null)
  const { data: counts } = useQuery(api.get('conversations/counts'))
  const tab = tabOf(search)
  // A job filters by tab, reason and channel only; with other filters, the member selects rows.
  const isPlain = [search.q, search.waiting, search.closing].every((value) => value === undefined)
  const mayAll = setUp && isPlain && tab !== 'mine' && tab !== 'resolved'
  const close = async () => {
    if (asked === 'all' && mayAll) {
      const filter = {
        tab,
        ...(search.reason && { reason: search.reason }),
        ...(search.channel !== undefined && { channelId: search.channel }),
      }
      const { job } = await api.post('conversations/bulk-close', { filter })
      return setJobId(job?.id ?? null)
    }
    const n = await inParts([...selected], INBOX_LIMITS.closedPerRequest, async (ids) => {
      return (await api.post('conversations/bulk-close', { ids })).closed
    })
    toastSuccess(t('closed_many', { n }))
    onDone()
  }
  if (jobId !== null) return <Progress jobId={jobId} onDone={onDone} />
  const all = counts?.[tab] ?? 0
  return (
    <>
      {selected.size === 0 ? (
        <div className={styles.selectNote}>
          {t('select_some')}
          {mayAll && all > 0 && (
            <Button size="xs" onClick={() => setAsked('all')}>
              {t('close_all_found')}
            </Button>
          )}
          <Button size="xs" onClick={onDone}>
            {t('stop_selecting')}
          </Button>
        </div>
      ) : (
        <BulkBar count={selected.size} onClear={onDone}>
          <BulkAct onClick={() => setAsked('selected')}>{t('resolve')}</BulkAct>
        </BulkBar>
      )}
      <Confirm
        isOpen={asked !== null}
        title={asked === 'all' ? t('close_all_title') : t('close_title', { n: selected.size })}
        act={t('resolve')}
        send={close}
        onClose={() => setAsked(null)}
      >
        {t('close_why')}
      </Confirm>
    </>
  )
}

const LOOK_MS = 700

function Progress({ jobId, onDone }: { jobId: string; onDone(): void }) {
  const t = useWords(inboxWords)
  const format = useFormat()
  const api = useApi()
  const read = useQuery({
    ...api.get('close-jobs/:closeJobId', { closeJobId: jobId }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_MS : false),
  })
  const job = read.data
  if (!job) return <ReadState of={read} rows={1} />
  const isRunning = job.state === 'running'
  return (
    <div className={styles.selectNote} role="status">
      <span>
        {isRunning
          ? t('closing_now', { count: format.number(job.closed) })
          : t('closed_many', { n: job.closed })}
      </span>
      {isRunning ? (
        <ActButton
          size="xs"
          act={() => api.post('close-jobs/:closeJobId/cancel', { closeJobId: jobId })}
        >
          {t('stop_closing')}
        </ActButton>
      ) : (
        <Button size="xs" onClick={onDone}>
          {t('stop_selecting')}
        </Button>
      )}
    </div>
  )
}
