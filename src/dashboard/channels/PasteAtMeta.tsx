import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './channels.module.css'
import { Pasted } from './Pasted.tsx'
import { channelsWords } from './words.ts'

/**
 * The values for the webhook settings of an app at Meta. `section` and the fields have the names of Meta's pages, in
 * any language. The verify token is shown only once.
 */
export function PasteAtMeta({
  channel,
  shownOnce: { verifyToken },
  section,
  needed,
  useful,
  note,
}: {
  channel: ChannelView
  shownOnce: Readonly<Record<string, string>>
  section: string
  needed: string
  useful: string
  note?: string
}) {
  const t = useWords(channelsWords)
  return (
    <div className={styles.form}>
      <p>{t('paste_where', { section })}</p>
      <Pasted label={t('callback_url')} value={channel.webhookUrl ?? ''} />
      {verifyToken !== undefined && (
        <>
          <Pasted label={t('verify_token')} value={verifyToken} />
          <p className={layout.help}>{t('verify_token_once')}</p>
        </>
      )}
      <p>
        <Rich
          words={channelsWords}
          say="subscribe_to"
          with={{
            field: <code dir="ltr">{needed}</code>,
            others: <code dir="ltr">{useful}</code>,
          }}
        />
      </p>
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </div>
  )
}
