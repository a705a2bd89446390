import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { findUnfilled } from '../../rules/text/placeholders.ts'
import { measureText } from '../../rules/text/text-length.ts'
import { AttachButton } from './AttachButton.tsx'
import styles from './composer.module.css'
import { putBefore, readDraft, useDraft, useFile, writeDraft } from './drafts.ts'
import { send } from './outbox.ts'
import { SuggestButton } from './SuggestButton.tsx'
import { SavedReplies } from './SavedReplies.tsx'
import { Writer, WriterFoot, type Asked } from './Writer.tsx'
import { composerWords } from './words-composer.ts'

const MOST_SUGGESTED = 8

export function ReplyWriter({
  conversation,
  modes,
}: {
  conversation: ConversationDetail
  modes: ReactNode
}) {
  const t = useWords(composerWords)
  const format = useFormat()
  const api = useApi()
  const companyId = useCompanyId()
  const { id, channelType, composer } = conversation
  const [text, setText] = useDraft(id)
  const [{ file }, changeFile] = useFile(id)
  const setFile = (next: FileView | null) => changeFile(() => ({ file: next }))
  const [isManaging, setManaging] = useState(false)
  const { data: saved } = useQuery(api.get('canned-replies', { conversationId: id }))
  const suggested = useRef<string | null>(null)
  const suggest = (said: string) => {
    // Another suggestion takes the place of the last one, never of what somebody has written.
    if (readDraft(id) === suggested.current) writeDraft(id, said)
    else putBefore(id, said)
    suggested.current = said
  }
  const { media } = capabilitiesOf(channelType)
  const length = measureText(text, composer.unit)
  const isTooLong = composer.longest !== null && length > composer.longest
  const isEmpty = text.trim() === '' && file === null
  const unfilled = findUnfilled(text)
  const [whyNoFile, setWhyNoFile] = useState<string | null>(null)
  const submit = () => {
    if (isEmpty || isTooLong || unfilled !== null) return
    const words = text.trim()
    const takesCaption =
      file !== null && media !== null && media.kinds[file.mediaKind ?? 'document'].hasCaption
    if (file !== null) {
      const caption = takesCaption && words !== '' ? { caption: words } : {}
      const name = file.name ?? t('file')
      const shown = takesCaption && words !== '' ? `${name}\n${words}` : name
      send({ companyId, conversationId: id, said: { fileId: file.id, ...caption }, shown })
    }
    if (words !== '' && !takesCaption) {
      send({ companyId, conversationId: id, said: { text: words }, shown: words })
    }
    setText('')
    setFile(null)
  }
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {file !== null && (
          <div className={styles.attached}>
            <Icon name="attach" size={14} />
            <bdi>{file.name ?? t('file')}</bdi>
            {file.size !== null && <span>{format.bytes(file.size)}</span>}
            <button type="button" className={styles.plain} onClick={() => setFile(null)}>
              {t('remove')}
            </button>
          </div>
        )}
        <Writer
          label={t('reply')}
          placeholder={t('reply_placeholder')}
          value={text}
          onChange={setText}
          onEnter={submit}
          asks={asksForSaved}
          suggest={(word) =>
            (saved?.items ?? [])
              .filter(({ shortcut }) => shortcut.toLowerCase().startsWith(word.toLowerCase()))
              .slice(0, MOST_SUGGESTED)
              .map((reply) => ({
                id: reply.id,
                label: `/${reply.shortcut}`,
                more: reply.filledText ?? reply.text,
              }))
          }
          onTake={({ more }) => more}
        />
        <WriterFoot
          modes={modes}
          tools={
            <>
              <SuggestButton conversation={conversation} onText={suggest} />
              {media !== null && (
                <AttachButton media={media} onFile={setFile} onRefused={setWhyNoFile} />
              )}
              <button
                type="button"
                className={styles.savedButton}
                onClick={() => setManaging(true)}
              >
                <kbd dir="ltr" className={styles.key}>
                  /
                </kbd>
                <span className={styles.savedWord}>{t('saved_replies')}</span>
              </button>
            </>
          }
        >
          {composer.longest !== null && (
            <span className={styles.count} data-over={isTooLong}>
              {t(composer.unit === 'utf8_bytes' ? 'count_bytes' : 'count', {
                length,
                most: composer.longest,
              })}
            </span>
          )}
          <Button
            type="submit"
            variant="filled"
            className={styles.send}
            disabled={isEmpty || isTooLong || unfilled !== null}
            aria-label={t('send')}
          >
            <Icon name="send" />
            <span className={styles.sendWord}>{t('send')}</span>
          </Button>
        </WriterFoot>
        {isTooLong && (
          <div className={styles.problem} role="alert">
            {t('too_long', { over: length - composer.longest! })}
          </div>
        )}
        {unfilled !== null && (
          <div className={styles.problem} role="alert">
            {t('placeholder_left', { placeholder: `{{${unfilled}}}` })}
          </div>
        )}
        {whyNoFile !== null && (
          <div className={styles.problem} role="alert">
            {whyNoFile}
          </div>
        )}
      </form>
      {/* Beside the form: what is sent off in its dialog would send the reply as well. */}
      {isManaging && (
        <SavedReplies
          onClose={() => setManaging(false)}
          onTake={(taken) => {
            setText(text === '' ? taken : `${text} ${taken}`)
            setManaging(false)
          }}
          conversationId={id}
        />
      )}
    </>
  )
}

/** A slash at the beginning or after a space, and what of a shortcut follows it. */
function asksForSaved(before: string): Asked | null {
  const [typed, , word] = /(^|\s)\/([\p{L}\p{N}_-]*)$/u.exec(before) ?? []
  if (typed === undefined) return null
  return { from: before.length - word!.length - 1, word: word! }
}
