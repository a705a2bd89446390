import { Button } from '@mantine/core'
import { useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useApi } from '../app/resources.ts'
import { useMay, useSession } from '../app/session.ts'
import { Ltr } from '../parts/Code.tsx'
import { Confirm } from '../parts/Dialogs.tsx'
import { Icon } from '../parts/Icon.tsx'
import { LinkedText, mapOf } from '../parts/LinkedText.tsx'
import type { IconName } from '../parts/icons.ts'
import { Pill } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import type { MessageView } from '../../contract/dashboard/conversation.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import { send } from './outbox.ts'
import styles from './thread.module.css'
import { threadWords } from './words-thread.ts'
import { useCompanyId } from '../app/company.ts'
import { useFormat } from '../words/format.ts'
import type { FileView } from '../../contract/dashboard/file.ts'

/** A message: its sender, its text, its attachments and its status. */
export function Bubble({ message }: { message: MessageView }) {
  const t = useWords(threadWords)
  const isOurs = message.direction === 'out'
  const isText = message.text !== null && message.text !== ''
  // A message of a type without a name here is shown by its details.
  const showsDetails = message.type === 'unknown' && message.details !== null
  const wordless = ['location', 'contact', 'sticker'].includes(message.type)
    ? t(`type_${message.type as 'location' | 'contact' | 'sticker'}`)
    : t('type_unknown')
  return (
    <article className={styles.bubble} data-ours={isOurs} data-status={message.status ?? undefined}>
      {isOurs && <From message={message} />}
      {message.file && <Attachment file={message.file} />}
      {message.transcript !== null && (
        <div className={styles.words} dir="auto">
          <span className={styles.faint}>{t('transcript')}</span>{' '}
          <LinkedText text={message.transcript} />
        </div>
      )}
      {message.place !== null && (
        <div className={styles.words} dir="auto">
          <span className={styles.faint}>{t('type_location')}:</span>{' '}
          <a href={mapOf(message.place)} target="_blank" rel="noreferrer">
            {message.place}
          </a>
        </div>
      )}
      {message.deletedAt !== null && (
        <div className={styles.faint}>{t(isOurs ? 'deleted_by_us' : 'deleted_by_customer')}</div>
      )}
      {isText && (
        <div className={styles.words} dir="auto" data-deleted={message.deletedAt !== null}>
          <LinkedText text={message.text!} />
        </div>
      )}
      <EarlierTexts message={message} />
      {!isText && !message.file && message.place === null && !showsDetails && (
        <div className={styles.faint}>{wordless}</div>
      )}
      {message.details !== null && (
        <div className={styles.words} dir="auto">
          <LinkedText text={message.details} />
        </div>
      )}
      {message.page !== null && (
        <div className={styles.faint}>
          <Rich words={threadWords} say="from_page" with={{ page: <Ltr>{message.page}</Ltr> }} />
        </div>
      )}
      <div className={styles.foot}>
        {message.reaction !== null && (
          <span
            className={styles.reaction}
            role="img"
            aria-label={t('reacted', { emoji: message.reaction })}
          >
            {message.reaction}
          </span>
        )}
        <Time at={message.at} as="time" />
        {isOurs && message.status !== null && <Receipt status={message.status} />}
      </div>
      {isOurs && <Trouble message={message} />}
    </article>
  )
}

/** Earlier texts of an edited message, collapsed at first. */
function EarlierTexts({ message: { earlierTexts } }: { message: MessageView }) {
  const t = useWords(threadWords)
  if (earlierTexts.length === 0) return null
  return (
    <details className={styles.faint}>
      <summary>{t('text_edited')}</summary>
      {earlierTexts.map(({ text, until }) => (
        <div key={until} className={styles.words} dir="auto">
          {text ?? t('no_words')} <Time at={until} as="time" />
        </div>
      ))}
    </details>
  )
}

/** The sender of an outbound message: a template, the assistant, a flow or a colleague. */
function From({
  message: { sender, author, templateName, runId, replyId },
}: {
  message: MessageView
}) {
  const t = useWords(threadWords)
  const { setUp } = useMay()
  const { person } = useSession()
  const line = (icon: IconName, words: React.ReactNode) => (
    <div className={styles.from}>
      <Icon name={icon} size={14} /> <span>{words}</span>
      {runId !== null && setUp && (
        <PageLink to="runs/$run" params={{ run: runId }} className={styles.runLink}>
          {t('to_run')}
        </PageLink>
      )}
      {replyId !== null && (
        <PageLink
          to="assistant/replies/$reply"
          params={{ reply: replyId }}
          className={styles.runLink}
        >
          {t('to_trace')}
        </PageLink>
      )}
    </div>
  )
  if (templateName !== null) {
    return line(
      'template',
      <Rich words={threadWords} say="from_template" with={{ name: <Ltr>{templateName}</Ltr> }} />,
    )
  }
  if (sender === 'assistant') return line('sparkles', t('from_assistant'))
  if (sender === 'flow') return line('flow', t('from_flow'))
  if (sender === 'broadcast') return line('megaphone', t('from_broadcast'))
  if (sender === 'notice') return line('calendar', t('from_notice'))
  if (sender === 'owner_app') return line('phone', t('from_app'))
  if (author !== null && author.id === person.id) return line('person', t('you'))
  return author?.name != null ? line('person', <bdi>{author.name}</bdi>) : null
}

const RECEIPTS: Readonly<Partial<Record<SentMessageStatus, IconName>>> = {
  queued: 'clock',
  sending: 'progress',
  accepted: 'check',
  sent: 'check',
  delivered: 'check_double',
  read: 'check_double',
}

function Receipt({ status }: { status: SentMessageStatus }) {
  const t = useWords(threadWords)
  const icon = RECEIPTS[status]
  if (!icon) return null
  return (
    <span className={styles.receipt} data-read={status === 'read'} title={t(`status_${status}`)}>
      <Icon name={icon} size={15} label={t(`status_${status}`)} />
    </span>
  )
}

/** The state of a message that was not simply sent: queued, cancelled, failed or unknown, with what to do about it. */
function Trouble({ message }: { message: MessageView }) {
  const t = useWords(threadWords)
  const api = useApi()
  const { companyId } = api
  const { person } = useSession()
  const { isBusy, run } = useApiMutation()
  const [isAsking, setAsking] = useState(false)
  const [isRepeated, setRepeated] = useState(false)
  const { id, conversationId, status, text, errorDetail, author, templateName, file } = message
  const mayRepeat = text !== null && text !== '' && templateName === null && file === null
  const repeat = () => {
    setAsking(false)
    // A second press sends nothing: the first one shows its own state in the thread.
    if (isRepeated) return
    setRepeated(true)
    send({ companyId, conversationId, said: { text: text! }, shown: text! })
  }
  const cancel = () =>
    run(() =>
      api.delete('conversations/:conversationId/messages/:messageId', {
        conversationId,
        messageId: id,
      }),
    )
  if (status === 'queued' && author?.id === person.id) {
    return (
      <div className={styles.trouble}>
        <Pill tone="busy" icon="clock">
          {t('status_queued')}
        </Pill>
        <Button size="xs" loading={isBusy} onClick={() => void cancel()}>
          {t('take_back')}
        </Button>
      </div>
    )
  }
  if (status === 'cancelled') {
    return (
      <div className={styles.trouble}>
        <Pill tone="off">{t('status_cancelled')}</Pill>
      </div>
    )
  }
  if (status !== 'failed' && status !== 'unknown') return null
  const isUnknown = status === 'unknown'
  return (
    <div className={styles.trouble}>
      <Pill tone={isUnknown ? 'warn' : 'bad'}>{t(isUnknown ? 'status_unknown' : 'not_sent')}</Pill>
      <span className={styles.troubleWhy}>
        {isUnknown ? t('unknown_why') : (errorDetail?.text ?? t('failed_why'))}
      </span>
      {mayRepeat && (
        <Button
          size="xs"
          disabled={isRepeated}
          onClick={() => (isUnknown ? setAsking(true) : repeat())}
        >
          {t('send_again')}
        </Button>
      )}
      <Confirm
        isOpen={isAsking}
        title={t('send_twice_title')}
        act={t('send_again')}
        send={repeat}
        onClose={() => setAsking(false)}
      >
        {t('send_twice_why')}
      </Confirm>
    </div>
  )
}

/** The file of a message: images are shown, audio and video can be played, other files can be downloaded. */
function Attachment({ file }: { file: FileView }) {
  const t = useWords(threadWords)
  const format = useFormat()
  const companyId = useCompanyId()
  const name = file.name ?? t(`kind_${file.mediaKind ?? 'document'}`)
  if (file.state === 'awaited') {
    return (
      <div className={styles.file}>
        <Icon name="progress" /> {t('file_awaited')}
      </div>
    )
  }
  if (file.state !== 'kept') {
    return (
      <div className={styles.file}>
        <Icon name="file" />
        <span>
          <bdi>{name}</bdi> <br />
          <span className={styles.faint}>{file.lostReason?.text ?? t('file_gone')}</span>
        </span>
      </div>
    )
  }
  const url = `/api/companies/${companyId}/files/${file.id}/content`
  const isShownImage = /^image\/(jpeg|png|gif|webp)$/.test(file.mediaType ?? '')
  if (isShownImage) {
    return (
      <a href={url} target="_blank" rel="noreferrer" className={styles.imageLink}>
        <img src={url} alt={name} loading="lazy" className={styles.image} />
      </a>
    )
  }
  // A recording has no captions to show.
  if (file.mediaKind === 'audio') {
    return <audio controls preload="none" src={url} aria-label={name} className={styles.audio} />
  }
  if (file.mediaKind === 'video') {
    return <video controls preload="none" src={url} aria-label={name} className={styles.image} />
  }
  return (
    <a href={url} download className={styles.file}>
      <Icon name="download" />
      <span>
        <bdi>{name}</bdi>
        {file.size !== null && <span className={styles.faint}> {format.bytes(file.size)}</span>}
      </span>
    </a>
  )
}
