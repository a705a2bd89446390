import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { PageButton } from '../../parts/PageLink.tsx'
import type { ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import { CONTACT_JOBS } from '../../../core/limits/contacts.ts'
import { useApi } from '../../app/resources.ts'
import { useLiveQuery } from '../../app/live.tsx'
import { ConfirmButton } from '../../parts/Dialogs.tsx'
import { Banner, PageHeader, Panel } from '../../parts/Page.tsx'
import { ProgressBar } from '../../parts/ProgressBar.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { ImportPill } from './ImportPill.tsx'
import layout from '../../parts/layout.module.css'
import styles from './imports.module.css'
import { MapColumns } from './MapColumns.tsx'
import { ReadAs } from './ReadAs.tsx'
import { ImportRows } from './ImportRows.tsx'
import { importWords } from './words.ts'

const isInProgress = (state: ContactImportView['state']) =>
  state === 'checking' || state === 'running'

/** The page of one import: the columns are mapped, then the file is checked, imported and reported. */
export function Import() {
  const t = useWords(importWords)
  const api = useApi()
  const { import: importId } = useParams({ from: '/p/$company/contacts/imports/$import' })
  useLiveQuery('contact_import', api.key('contact-imports/:importId', { importId }))
  const { data: job } = useSuspenseQuery(api.get('contact-imports/:importId', { importId }))
  const [isMapping, setMapping] = useState(false)
  const shown = () => setMapping(false)
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{job.name}</bdi>}
        pill={<ImportPill state={job.state} />}
        acts={<PageButton to="contacts/imports">{t('all_imports')}</PageButton>}
      />
      {job.reason !== null && <Banner tone="bad" title={job.reason.text} />}
      <div className={layout.stack}>
        {(job.state === 'uploaded' || (job.state === 'checked' && isMapping)) && (
          <>
            <ReadAs job={job} onRead={shown} />
            <MapColumns key={job.headers.join('\0')} job={job} onChecked={shown} />
          </>
        )}
        {isInProgress(job.state) && <InProgress job={job} onChanged={shown} />}
        {job.state === 'checked' && !isMapping && (
          <Checked job={job} onStarted={shown} onMap={() => setMapping(true)} />
        )}
        {job.endedAt !== null && <Ended job={job} />}
        {(job.state === 'checked' || job.endedAt !== null) && job.rows !== null && (
          <ImportRows job={job} />
        )}
      </div>
    </>
  )
}

function InProgress({ job, onChanged }: { job: ContactImportView; onChanged(): void }) {
  const t = useWords(importWords)
  const api = useApi()
  const done = job.rowsDone
  return (
    <Panel>
      <ProgressBar
        value={done}
        limit={job.rows ?? 0}
        label={
          job.rows === null
            ? t('reading', { done })
            : t(job.state === 'checking' ? 'checking' : 'running', { done, n: job.rows })
        }
      />
      <div className={styles.foot}>
        <ConfirmButton
          label={t('cancel')}
          title={t('cancel_title')}
          keep={t('cancel_keep')}
          send={async () => {
            await api.post('contact-imports/:importId/cancel', { importId: job.id })
            onChanged()
          }}
          done={t('was_cancelled')}
        >
          {t('cancel_why')}
        </ConfirmButton>
      </div>
    </Panel>
  )
}

function Checked({
  job,
  onStarted,
  onMap,
}: {
  job: ContactImportView
  onStarted(): void
  onMap(): void
}) {
  const t = useWords(importWords)
  const format = useFormat()
  const api = useApi()
  const n = (job.rows ?? 0) - job.leftOut - job.combined
  const changes = job.created + job.updated
  const { page, pageEveryMs } = CONTACT_JOBS
  return (
    <Panel title={t('checked_title', { n })}>
      <p className={layout.lead}>
        {job.leftOut === 0 ? t('none_left_out') : t('left_out', { n: job.leftOut })}
      </p>
      <OutcomeFigures job={job} />
      <div className={styles.foot}>
        <ConfirmButton
          label={t('start', { n })}
          button={{ variant: 'filled', disabled: n === 0 }}
          title={t('start_title', { n })}
          keep={t('start_keep')}
          send={async () => {
            await api.post('contact-imports/:importId/start', { importId: job.id })
            onStarted()
          }}
        >
          {t('start_why', {
            perSecond: Math.round((page / pageEveryMs) * 1_000),
            time: format.duration(Math.ceil(changes / page) * pageEveryMs),
          })}
        </ConfirmButton>
        <Button onClick={onMap}>{t('change_columns')}</Button>
      </div>
    </Panel>
  )
}

function Ended({ job }: { job: ContactImportView }) {
  const t = useWords(importWords)
  const title =
    job.state === 'done'
      ? 'done_title'
      : job.state === 'failed'
        ? 'failed_title'
        : 'cancelled_title'
  return (
    <Panel title={t(title)}>
      <OutcomeFigures job={job} />
      <div className={styles.foot}>
        <PageButton variant="filled" to="contacts">
          {t('to_contacts')}
        </PageButton>
        <PageButton to="contacts/imports">{t('another')}</PageButton>
      </div>
    </Panel>
  )
}

/** The number of rows with each outcome, which together are all rows of the file. */
function OutcomeFigures({ job }: { job: ContactImportView }) {
  const t = useWords(importWords)
  const format = useFormat()
  const figures = [
    [t('created'), job.created],
    [t('updated'), job.updated],
    [t('unchanged'), job.unchanged],
    [t('combined'), job.combined],
    [t('left_out_rows'), job.leftOut],
  ] as const
  return (
    <dl className={styles.figures}>
      {figures.map(([name, n]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{format.number(n)}</dd>
        </div>
      ))}
    </dl>
  )
}
