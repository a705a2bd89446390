import { CopyButton } from '../parts/Code.tsx'
import { Rich, useWords } from '../words/use-words.tsx'
import styles from './channels.module.css'
import { channelsWords } from './words.ts'

/** As the provider's pages name them, in any language. */
const SECTION = 'WhatsApp, Configuration, Webhook'
const NEEDED = 'messages'
const USEFUL =
  'message_template_status_update, template_category_update, account_update, smb_message_echoes, history, user_id_update'

/** What belongs into the provider's webhook settings. The verify token is there once alone. */
export function PasteAtProvider({ url, verifyToken }: { url: string; verifyToken: string | null }) {
  const t = useWords(channelsWords)
  return (
    <div className={styles.form}>
      <p>{t('paste_where', { section: SECTION })}</p>
      <Pasted label={t('callback_url')} value={url} />
      {verifyToken !== null && (
        <>
          <Pasted label={t('verify_token')} value={verifyToken} />
          <p className={styles.faint}>{t('verify_token_once')}</p>
        </>
      )}
      <p>
        <Rich
          words={channelsWords}
          say="subscribe_to"
          with={{
            field: <code dir="ltr">{NEEDED}</code>,
            others: <code dir="ltr">{USEFUL}</code>,
          }}
        />
      </p>
    </div>
  )
}

function Pasted({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.pasted}>
      <span className={styles.faint}>{label}</span>
      <code dir="ltr">{value}</code>
      <CopyButton text={value} />
    </div>
  )
}
