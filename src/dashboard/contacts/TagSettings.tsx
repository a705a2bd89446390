import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../parts/FormDialog.tsx'
import type { TagJobView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { useApiForm } from '../parts/form.tsx'
import { ShowMore } from '../parts/ListTable.tsx'
import { Panel, ReadState } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { settingsWords } from './words-settings.ts'

const READ_AGAIN_MS = 2_000

/**
 * The list of the company's tags, where they can be renamed and removed. An act on all contacts with a tag runs as a
 * job.
 */
export function TagSettings() {
  const t = useWords(settingsWords)
  const api = useApi()
  const { setUp } = useMay()
  const list = useInfiniteQuery(api.list('tags'))
  const tags = list.data?.items ?? []
  const [renamed, setRenamed] = useState<string | null>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  return (
    <Panel title={t('tags')}>
      <ReadState of={list} rows={3} />
      {list.isSuccess && tags.length === 0 && <p className={layout.quiet}>{t('no_tags')}</p>}
      <ul className={layout.plainList}>
        {tags.map(({ tag }) => (
          <li key={tag} className={styles.row}>
            <bdi className={styles.text}>{tag}</bdi>
            {setUp && (
              <span className={styles.ends}>
                <Button size="xs" onClick={() => setRenamed(tag)}>
                  {t('rename')}
                </Button>
                <Button size="xs" onClick={() => setRemoved(tag)}>
                  {t('delete')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <ShowMore list={list} size="xs" />
      {setUp && <Jobs />}
      {renamed !== null && <RenameDialog tag={renamed} onClose={() => setRenamed(null)} />}
      <Confirm
        isOpen={removed !== null}
        title={t('delete_title', { tag: removed ?? '' })}
        act={t('delete_act')}
        keep={t('delete_keep')}
        isGrave
        send={() => removed !== null && api.post('tags/delete', { tag: removed })}
        done={t('job_started')}
        onClose={() => setRemoved(null)}
      >
        {t('delete_why')}
      </Confirm>
    </Panel>
  )
}

function RenameDialog({ tag, onClose }: { tag: string; onClose(): void }) {
  const t = useWords(settingsWords)
  const api = useApi()
  const form = useApiForm<{ newTag: string }>({
    values: { newTag: tag },
    onSubmit: async ({ newTag }) => {
      const json = { tag, newTag }
      await api.post('tags/rename', json)
    },
    done: t('job_started'),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t('rename_title', { tag })}
      act={t('rename')}
      keep={t('delete_keep')}
      onClose={onClose}
    >
      <TextInput
        label={t('new_tag')}
        description={t('rename_why')}
        maxLength={CONTACT_LIMITS.tagChars}
        data-autofocus
        {...form.field('newTag')}
      />
    </FormDialog>
  )
}

/** The latest jobs, read again while one is running. */
function Jobs() {
  const t = useWords(settingsWords)
  const api = useApi()
  const { data: jobs = [] } = useQuery({
    ...api.items('tags/jobs', { limit: 5 }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ isDone }) => !isDone) === true ? READ_AGAIN_MS : false,
  })
  if (jobs.length === 0) return null
  return (
    <>
      <h3 className={styles.small}>{t('jobs')}</h3>
      <ul className={layout.plainList}>
        {jobs.map((job) => (
          <Job key={job.id} job={job} />
        ))}
      </ul>
    </>
  )
}

function Job({ job: { tag, newTag, isDone, changed } }: { job: TagJobView }) {
  const t = useWords(settingsWords)
  return (
    <li className={styles.row}>
      <span className={styles.text}>
        {newTag === null ? t('job_delete', { tag }) : t('job_rename', { tag, newTag })}
      </span>
      <span className={styles.ends}>
        {t(isDone ? 'job_done' : 'job_going', { n: changed })}
        <Pill tone={isDone ? 'ok' : 'busy'}>{t(isDone ? 'done' : 'running')}</Pill>
      </span>
    </li>
  )
}
