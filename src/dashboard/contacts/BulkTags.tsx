import { Autocomplete, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { useApi } from '../app/resources.ts'
import { Modal } from '../parts/Modal.tsx'
import { Failed } from '../parts/Page.tsx'
import { ProgressBar } from '../parts/ProgressBar.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { tagsQuery } from './queries.ts'
import { contactsWords } from './words.ts'

type Progress = { done: number; failed: number; fault: unknown; isOver: boolean }

/** A dialog that gives the selected contacts a tag or takes it away, one after the other, and shows the progress. */
export function BulkTags({
  act,
  contacts,
  onClose,
}: {
  act: 'add' | 'remove'
  contacts: readonly ContactView[]
  onClose(isDone: boolean): void
}) {
  const t = useWords(contactsWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const { data: tags = [] } = useQuery(tagsQuery(api))
  const [tag, setTag] = useState('')
  // The selection may change meanwhile; the dialog keeps the contacts that were selected at first.
  const [meant] = useState(contacts)
  const [progress, setProgress] = useState<Progress | null>(null)
  const mayContinue = useRef(true)
  const n = meant.length
  const run = async () => {
    const word = tag.trim()
    const json = act === 'add' ? { addTags: [word] } : { removeTags: [word] }
    let [done, failed] = [0, 0]
    let fault: unknown = null
    for (const { id } of meant) {
      if (!mayContinue.current) break
      setProgress({ done, failed, fault, isOver: false })
      try {
        await api.call('patch', 'contacts/:contactId', { contactId: id }, json)
        done += 1
      } catch (error) {
        failed += 1
        fault = error
      }
    }
    setProgress({ done, failed, fault, isOver: true })
    await api.changed('contacts')
    if (failed > 0) return
    toastSuccess(t('tagged', { n: done }))
    onClose(true)
  }
  const close = () => {
    mayContinue.current = false
    if (progress === null || progress.isOver) onClose(progress !== null)
  }
  return (
    <Modal opened onClose={close} title={t(act === 'add' ? 'tag_title' : 'untag_title', { n })}>
      <form
        className={layout.fields}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Autocomplete
          label={t('tag')}
          description={t('tag_why')}
          data={tags}
          value={tag}
          maxLength={CONTACT_LIMITS.tagChars}
          disabled={progress !== null}
          data-autofocus
          onChange={setTag}
        />
        {progress !== null && (
          <ProgressBar
            value={progress.done + progress.failed}
            limit={n}
            label={t('tagging', { done: progress.done, n })}
          />
        )}
        {progress !== null && progress.failed > 0 && (
          <Failed error={progress.fault} title={t('tagged_not', { n: progress.failed })} />
        )}
        <div className={styles.pair}>
          {progress === null ? (
            <Button type="submit" variant="filled" disabled={tag.trim() === ''}>
              {t(act === 'add' ? 'tag_act' : 'untag_act', { n })}
            </Button>
          ) : (
            <Button onClick={close}>{progress.isOver ? parts('close') : t('stop_here')}</Button>
          )}
        </div>
      </form>
    </Modal>
  )
}
