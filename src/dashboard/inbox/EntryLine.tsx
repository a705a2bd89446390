import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { Time } from '../parts/Time.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { partsWords } from '../parts/words.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import type { EntryView } from '../../contract/dashboard/conversation.ts'
import type { EntryKind } from '../../core/vocabulary/inbox.ts'
import { useReasonName } from './Marks.tsx'
import styles from './thread.module.css'
import { threadWords } from './words-thread.ts'

const ICONS: Readonly<Record<EntryKind, IconName>> = {
  note: 'note',
  handed_over: 'hand_over',
  handover_asked: 'hand_over',
  taken_over: 'person',
  given_back: 'sparkles',
  assigned: 'person_add',
  resolved: 'check',
  reopened: 'refresh',
  flow_kept_out: 'flow',
  unreachable: 'close',
  reachable: 'check',
  same_customer: 'person',
  number_gone: 'close',
  number_changed: 'refresh',
  tags_left_out: 'close',
}

/**
 * An entry between the messages: a line that reports an act or a change, or a note, which its author can edit and
 * delete. Customers do not see these entries.
 */
export function EntryLine({ entry }: { entry: EntryView }) {
  const textOf = useEntryText()
  if (entry.entry === 'note') return <Note entry={entry} />
  return (
    <div className={styles.system}>
      <Icon name={ICONS[entry.entry] ?? 'history'} size={14} />
      <span>{textOf(entry)}</span>
      <Time at={entry.at} as="time" />
      {entry.text !== null && (
        <span className={styles.systemWords} dir="auto">
          {entry.text}
        </span>
      )}
    </div>
  )
}

function useEntryText(): (entry: EntryView) => string {
  const t = useWords(threadWords)
  const format = useFormat()
  const reasonName = useReasonName()
  return ({ entry, by, data }) => {
    const name = by.name ?? t(by.kind === 'member' ? 'somebody' : 'the_service')
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    const nameIn = (value: unknown) => {
      const named = value as { name?: string | null } | null | undefined
      return named ? (named.name ?? t('unnamed')) : null
    }
    switch (entry) {
      case 'handed_over':
        return t('told_handed_over', { reason: reasonName(text(data['reason'])) })
      case 'handover_asked':
        return t('told_handover_asked', { reason: reasonName(text(data['reason'])) })
      case 'assigned': {
        const assignee = nameIn(data['assignee'])
        return assignee === null
          ? t('told_unassigned', { name })
          : t('told_assigned', { name, assignee })
      }
      case 'flow_kept_out':
        return t('told_flow_kept_out', { flow: nameIn(data['flow']) ?? '' })
      case 'taken_over':
      case 'given_back':
      case 'resolved':
      case 'reopened':
        return t(`told_${entry}`, { name })
      case 'same_customer':
        return t('told_same_customer', { customer: text(data['customer']) || t('unnamed') })
      case 'number_gone':
        return t('told_number_gone', {
          number: text(data['number']),
          since: format.date(text(data['since'])),
        })
      case 'number_changed': {
        const [number, next] = [text(data['number']), text(data['newNumber'])]
        return next === ''
          ? t('told_number_hidden', { number })
          : t('told_number_changed', { number, next })
      }
      case 'tags_left_out': {
        const tags = Array.isArray(data['tags']) ? data['tags'].map(String) : []
        return t('told_tags_left_out', { tags: tags.join(t('between_tags')) })
      }
      case 'unreachable':
      case 'reachable':
        return t(`told_${entry}`)
      case 'note':
        return ''
      default:
        // A kind of entry that this version does not know is shown by its code.
        return entry
    }
  }
}

/** A note of a member. Its author can edit and delete it. */
function Note({ entry }: { entry: EntryView }) {
  const t = useWords(threadWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const { person } = useSession()
  const { isBusy, run } = useApiMutation()
  const [edited, setEdited] = useState<string | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const { by, id, conversationId, text } = entry
  const isOwn = by.kind === 'member' && by.id === person.id
  const path = 'conversations/:conversationId/notes/:noteId'
  const note = { conversationId, noteId: id }
  const change = (next: string) =>
    run(async () => {
      await api.patch(path, note, { text: next })
      setEdited(null)
    })
  return (
    <article className={styles.noteBubble}>
      <div className={styles.from}>
        <Icon name="note" size={14} />
        <span>{t('note_of', { name: by.name ?? t('the_service') })}</span>
      </div>
      {edited === null ? (
        <div className={styles.words} dir="auto">
          {text}
        </div>
      ) : (
        <Textarea
          autosize
          aria-label={t('note')}
          maxLength={INBOX_LIMITS.noteChars}
          value={edited}
          onChange={(event) => setEdited(event.currentTarget.value)}
        />
      )}
      <div className={styles.foot}>
        {isOwn && edited === null && (
          <>
            <button type="button" className={styles.plain} onClick={() => setEdited(text ?? '')}>
              {t('edit')}
            </button>
            <button type="button" className={styles.plain} onClick={() => setDeleting(true)}>
              {t('delete')}
            </button>
          </>
        )}
        {edited !== null && (
          <>
            <Button
              size="xs"
              variant="filled"
              loading={isBusy}
              disabled={edited.trim() === ''}
              onClick={() => void change(edited)}
            >
              {parts('save')}
            </Button>
            <Button size="xs" onClick={() => setEdited(null)}>
              {parts('cancel')}
            </Button>
          </>
        )}
        {entry.editedAt !== null && <span>{t('edited')}</span>}
        <Time at={entry.at} as="time" />
      </div>
      <Confirm
        isOpen={isDeleting}
        isGrave
        title={t('note_delete_title')}
        act={t('note_delete')}
        send={() => api.delete(path, note)}
        onClose={() => setDeleting(false)}
      >
        {t('note_delete_why')}
      </Confirm>
    </article>
  )
}
