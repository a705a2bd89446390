import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { diffValues } from '../parts/diff-values.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { Form, useApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Empty, Failed, Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import type { CannedReplyView } from '../../contract/dashboard/conversation.ts'
import styles from './composer.module.css'
import { composerWords } from './words-composer.ts'

/** A dialog with all saved replies, to use, create, change and delete them. */
export function SavedReplies({
  conversationId,
  onTake,
  onClose,
}: {
  conversationId: string
  onTake(text: string): void
  onClose(): void
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const { data, isError, error, refetch } = useQuery(api.get('canned-replies', { conversationId }))
  const [edited, setEdited] = useState<CannedReplyView | 'new' | null>(null)
  const [deleted, setDeleted] = useState<CannedReplyView | null>(null)
  const make = <Button onClick={() => setEdited('new')}>{t('replies_new')}</Button>
  return (
    <Modal opened size="lg" onClose={onClose} title={t('replies_title')}>
      {edited !== null ? (
        <Edit reply={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
      ) : (
        <>
          {isError && <Failed error={error} onRetry={() => void refetch()} />}
          {!data && !isError && <Skeleton rows={3} />}
          {data?.items.length === 0 && <Empty title={t('replies_none')} act={make} />}
          <ul className={styles.replies}>
            {data?.items.map((reply) => (
              <li key={reply.id} className={styles.savedReply}>
                <div className={styles.savedText}>
                  <bdi className={styles.suggestionName}>/{reply.shortcut}</bdi>
                  <div dir="auto" className={styles.savedWords}>
                    {reply.text}
                  </div>
                </div>
                <Button size="xs" onClick={() => onTake(reply.filledText ?? reply.text)}>
                  {t('replies_use')}
                </Button>
                {reply.mayChange && (
                  <>
                    <Button
                      size="xs"
                      aria-label={t('replies_edit', { name: reply.shortcut })}
                      onClick={() => setEdited(reply)}
                    >
                      {t('replies_edit', { name: reply.shortcut })}
                    </Button>
                    <Button
                      size="xs"
                      aria-label={t('replies_delete', { name: reply.shortcut })}
                      onClick={() => setDeleted(reply)}
                    >
                      {t('delete')}
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
          {data !== undefined && data.items.length > 0 && make}
        </>
      )}
      <Confirm
        isOpen={deleted !== null}
        title={t('replies_delete_title', { name: deleted?.shortcut ?? '' })}
        act={t('delete')}
        isGrave
        send={async () => {
          await api.delete('canned-replies/:cannedReplyId', { cannedReplyId: deleted!.id })
        }}
        onClose={() => setDeleted(null)}
      />
    </Modal>
  )
}

function Edit({ reply, onDone }: { reply: CannedReplyView | null; onDone(): void }) {
  const t = useWords(composerWords)
  const api = useApi()
  const shown = {
    shortcut: reply?.shortcut ?? '',
    text: reply?.text ?? '',
    language: reply?.language ?? ('' as const),
  }
  const form = useApiForm({
    values: shown,
    onSubmit: async (typed) => {
      const json = { ...typed, language: typed.language === '' ? null : typed.language }
      if (reply) {
        await api.patch(
          'canned-replies/:cannedReplyId',
          { cannedReplyId: reply.id },
          diffValues(reply, json),
        )
      } else {
        await api.post('canned-replies', json)
      }
    },
    onDone: onDone,
  })
  return (
    <Form form={form} foot={<Button onClick={onDone}>{t('cancel')}</Button>}>
      <TextInput
        label={t('replies_shortcut')}
        description={t('replies_shortcut_help')}
        {...form.field('shortcut')}
      />
      <Textarea
        label={t('replies_text')}
        description={t('replies_text_help', {
          name: '{{contact.name}}',
          phone: '{{contact.phone}}',
        })}
        autosize
        minRows={3}
        maxLength={INBOX_LIMITS.cannedChars}
        {...form.field('text')}
      />
      <Select
        label={t('replies_language')}
        data={[
          { value: '', label: t('replies_any') },
          { value: 'ar', label: t('replies_arabic') },
          { value: 'en', label: t('replies_english') },
        ]}
        allowDeselect={false}
        {...form.pick('language')}
      />
    </Form>
  )
}
