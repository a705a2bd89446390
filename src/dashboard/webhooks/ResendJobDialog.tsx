import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { JobFilter } from '../../contract/dashboard/delivery.ts'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Failed } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { jobWords } from './words-jobs.ts'

/** The deliveries that a job is to send: the matches of a filter, or the held ones. */
export type WantedJob = { kind: 'held' } | { kind: 'resend'; filter: JobFilter }

const PACES = [RESEND_JOB.minPace, 5, RESEND_JOB.paceDefault, 25, RESEND_JOB.maxPace]

/**
 * A dialog that asks with the number of deliveries and the estimated duration, and then starts a job, which has a page.
 */
export function ResendJobDialog({
  endpoint,
  job,
  onClose,
}: {
  endpoint: { id: string; name: string }
  job: WantedJob
  onClose(): void
}) {
  const t = useWords(jobWords)
  const format = useFormat()
  const api = useApi()
  const go = useGo()
  const [pace, setPace] = useState<number>(RESEND_JOB.paceDefault)
  const preview = useQuery({
    ...api.getByPost('resend-jobs/preview', { ...job, endpointId: endpoint.id }),
    gcTime: 0,
  })
  const { count: n, isAtLeast } = preview.data ?? { count: 0, isAtLeast: false }
  const least = isAtLeast ? '_least' : ''
  const title = preview.isSuccess
    ? t(`ask_${job.kind}${least}`, { n })
    : preview.isError
      ? t(`page_title_${job.kind}`, { name: endpoint.name })
      : t('ask_counting')
  return (
    <Confirm
      title={title}
      act={t(`act_${job.kind}${preview.isSuccess ? least : '_least'}`, { n })}
      mayAct={preview.isSuccess && n > 0}
      send={async () => {
        const made = await api.post('resend-jobs', { ...job, endpointId: endpoint.id, pace })
        void go('webhooks/jobs/$job', { job: made.id })
      }}
      onClose={onClose}
    >
      {preview.isError && <Failed error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.isSuccess && n === 0 && t('nothing')}
      {n > 0 && (
        <>
          <p className={styles.help}>
            {t(`text_${job.kind}`, {
              name: endpoint.name,
              time: format.duration(Math.ceil(n / pace) * SECOND_MS),
            })}
          </p>
          <label className={layout.row}>
            {t('pace')}
            <NativeSelect
              value={String(pace)}
              data={PACES.map((value) => ({
                value: String(value),
                label: t('pace_of', { n: value }),
              }))}
              onChange={(event) => setPace(Number(event.currentTarget.value))}
            />
          </label>
        </>
      )}
    </Confirm>
  )
}
