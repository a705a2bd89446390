import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../app/resources.ts'
import { Icon } from '../parts/Icon.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import styles from './composer.module.css'
import { readDraft, useReplyDraft, useNoteDraft } from './drafts.ts'
import { peopleQuery } from './inbox-queries.ts'
import { Writer, WriterFoot, type Asked } from './Writer.tsx'
import { composerWords } from './words-composer.ts'

const MAX_SUGGESTED = 8

/**
 * The editor of an internal note. Its background differs from a reply's, so that no member confuses the two; `@`
 * mentions a colleague.
 */
export function NoteWriter({
  conversation: { id, composer },
  modes,
}: {
  conversation: ConversationDetail
  modes: ReactNode
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [draft, setDraft] = useReplyDraft(id)
  const [own, changeNote] = useNoteDraft(id)
  // A reply that can no longer be sent may become a note here; it is one once it is edited.
  const isOfReply = !composer.mayText && own.text === '' && draft !== ''
  const text = isOfReply ? draft : own.text
  const { named } = own
  const setText = (next: string) => {
    if (isOfReply) setDraft('')
    changeNote(() => ({ text: next }))
  }
  const { data: people } = useQuery(peopleQuery(api))
  const submit = async () => {
    const words = text.trim()
    if (words === '') return
    const mentions = named
      .filter(({ name }) => words.includes(`@${name}`))
      .map((person) => person.id)
    await run(async () => {
      await api.post(
        'conversations/:conversationId/notes',
        { conversationId: id },
        { text: words, mentions: [...new Set(mentions)].slice(0, INBOX_LIMITS.mentions) },
      )
      if (isOfReply && readDraft(id) === text) setDraft('')
      changeNote((begun) => (begun.text === own.text ? { text: '', named: [] } : {}))
    })
  }
  return (
    <form
      className={styles.form}
      data-note
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Writer
        isNote
        label={t('note')}
        placeholder={t('note_placeholder')}
        value={text}
        onChange={(next) => setText(next.slice(0, INBOX_LIMITS.noteChars))}
        onEnter={() => void submit()}
        asks={asksForPerson}
        suggest={(word) =>
          (people ?? [])
            .filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()))
            .slice(0, MAX_SUGGESTED)
            .map((person) => ({ id: person.id, label: person.name, more: '' }))
        }
        onTake={({ id: personId, label }) => {
          changeNote(() => ({ named: [...named, { id: personId, name: label }] }))
          return `@${label} `
        }}
      />
      <WriterFoot modes={modes}>
        <span className={styles.count}>{t('not_sent_to_customer')}</span>
        <Button
          type="submit"
          variant="filled"
          className={styles.send}
          loading={isBusy}
          disabled={text.trim() === ''}
          leftSection={<Icon name="note" />}
        >
          {t('keep_note')}
        </Button>
      </WriterFoot>
    </form>
  )
}

function asksForPerson(before: string): Asked | null {
  const [typed, , word] = /(^|\s)@([\p{L}\p{N}_-]*)$/u.exec(before) ?? []
  if (typed === undefined) return null
  return { from: before.length - word!.length - 1, word: word! }
}
