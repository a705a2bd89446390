import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode, useEffect } from 'react'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { CannedReplyView, ConversationDetail } from '../../contract/dashboard/conversation.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { findUnfilled } from '../../rules/text/placeholders.ts'
import { measureText } from '../../rules/text/text-length.ts'
import { AttachButton } from './AttachButton.tsx'
import styles from './composer.module.css'
import { prependToDraft, readDraft, useReplyDraft, useFileDraft, writeDraft } from './drafts.ts'
import { send } from './outbox.ts'
import { SavedReplies } from './SavedReplies.tsx'
import { Writer, WriterFoot, type Asked, type Suggestion } from './Writer.tsx'
import { composerWords } from './words-composer.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { IconButton } from '../parts/IconButton.tsx'

const MAX_SUGGESTED = 8

/** Returns the state of a reply: its text and file, the reasons against sending it, and the function that sends it. */
function useReply({ id, channelType, composer }: ConversationDetail) {
  const t = useWords(composerWords)
  const companyId = useCompanyId()
  const [text, setText] = useReplyDraft(id)
  const [{ file }, changeFile] = useFileDraft(id)
  const setFile = (next: FileView | null) => changeFile(() => ({ file: next }))
  const { media } = capabilitiesOf(channelType)
  const length = measureText(text, composer.unit)
  const over = composer.longest === null ? 0 : Math.max(0, length - composer.longest)
  const unfilled = findUnfilled(text)
  const maySend = (text.trim() !== '' || file !== null) && over === 0 && unfilled === null
  const submit = () => {
    if (!maySend) return
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
  return { text, setText, file, setFile, media, length, over, unfilled, maySend, submit }
}

/** The editor of a reply to the customer: text, attachment and saved replies. */
export function ReplyWriter({
  conversation,
  modes,
}: {
  conversation: ConversationDetail
  modes: ReactNode
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const { id, composer } = conversation
  const reply = useReply(conversation)
  const { text, setText, file, setFile, media, length, over, unfilled } = reply
  const [isManaging, setManaging] = useState(false)
  const { data: saved } = useQuery(api.get('canned-replies', { conversationId: id }))
  const [whyNoFile, setWhyNoFile] = useState<string | null>(null)
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          reply.submit()
        }}
      >
        {file !== null && <Attached file={file} onRemove={() => setFile(null)} />}
        <Writer
          label={t('reply')}
          placeholder={t('reply_placeholder')}
          value={text}
          onChange={setText}
          onEnter={reply.submit}
          asks={asksForSaved}
          suggest={(word) => savedBy(word, saved?.items ?? [])}
          onTake={({ more }) => more}
        />
        <WriterFoot
          modes={modes}
          tools={
            <>
              <Suggest conversation={conversation} />
              {media !== null && (
                <AttachButton media={media} onFile={setFile} onRefused={setWhyNoFile} />
              )}
              <SavedButton onClick={() => setManaging(true)} />
            </>
          }
        >
          {composer.longest !== null && (
            <span className={styles.count} data-over={over > 0}>
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
            disabled={!reply.maySend}
            aria-label={t('send')}
          >
            <Icon name="send" />
            <span className={styles.sendWord}>{t('send')}</span>
          </Button>
        </WriterFoot>
        <Problem text={over > 0 ? t('too_long', { over }) : null} />
        <Problem text={unfilled && t('placeholder_left', { placeholder: `{{${unfilled}}}` })} />
        <Problem text={whyNoFile} />
      </form>
      {/* The dialog is outside of the form, because submitting the dialog's form would submit the reply as well. */}
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

function SavedButton({ onClick }: { onClick(): void }) {
  const t = useWords(composerWords)
  return (
    <button type="button" className={styles.savedButton} onClick={onClick}>
      <kbd dir="ltr" className={styles.key}>
        /
      </kbd>
      <span className={styles.savedWord}>{t('saved_replies')}</span>
    </button>
  )
}

function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <div className={styles.problem} role="alert">
      {text}
    </div>
  )
}

function Attached({ file, onRemove }: { file: FileView; onRemove(): void }) {
  const t = useWords(composerWords)
  const format = useFormat()
  return (
    <div className={styles.attached}>
      <Icon name="attach" size={14} />
      <bdi>{file.name ?? t('file')}</bdi>
      {file.size !== null && <span>{format.bytes(file.size)}</span>}
      <button type="button" className={styles.plain} onClick={onRemove}>
        {t('remove')}
      </button>
    </div>
  )
}

function Suggest({ conversation }: { conversation: ConversationDetail }) {
  const { id } = conversation
  const suggested = useRef<string | null>(null)
  const suggest = (said: string) => {
    // A new suggestion replaces the previous one, but never text that the member has typed.
    if (readDraft(id) === suggested.current) writeDraft(id, said)
    else prependToDraft(id, said)
    suggested.current = said
  }
  return <SuggestButton conversation={conversation} onText={suggest} />
}

/** Returns the saved replies whose shortcut begins with the word, filled in for the customer. */
function savedBy(word: string, saved: readonly CannedReplyView[]): Suggestion[] {
  return saved
    .filter(({ shortcut }) => shortcut.toLowerCase().startsWith(word.toLowerCase()))
    .slice(0, MAX_SUGGESTED)
    .map(({ id, shortcut, filledText, text }) => ({
      id,
      label: `/${shortcut}`,
      more: filledText ?? text,
    }))
}

/** Returns the request for saved replies: a slash at the start or after a space, followed by part of a shortcut. */
function asksForSaved(before: string): Asked | null {
  const [typed, , word] = /(^|\s)\/([\p{L}\p{N}_-]*)$/u.exec(before) ?? []
  if (typed === undefined) return null
  return { from: before.length - word!.length - 1, word: word! }
}

/** A button that asks the assistant for a reply. The reply goes to the composer, and only the member sends it. */
function SuggestButton({
  conversation,
  onText,
}: {
  conversation: ConversationDetail
  onText(text: string): void
}) {
  const t = useWords(composerWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const { data } = useQuery(
    api.get('conversations/:conversationId/answering', { conversationId: conversation.id }),
  )
  const said = conversation.lastMessage?.at
  const newest = useRef(said)
  useEffect(() => {
    newest.current = said
  })
  const suggest = async () => {
    const suggested = await run(() =>
      api.call('post', 'conversations/:conversationId/suggestion', {
        conversationId: conversation.id,
      }),
    )
    if (!suggested) return
    if (suggested.text === null) toastSuccess(t('no_suggestion'))
    else if (newest.current !== said) toastSuccess(t('suggestion_late'))
    else onText(suggested.text)
  }
  if (data?.state === 'no_model') return null
  return (
    <IconButton
      hasTip
      icon="sparkles"
      label={t('suggest')}
      size={32}
      loading={isBusy}
      onClick={() => void suggest()}
    />
  )
}
