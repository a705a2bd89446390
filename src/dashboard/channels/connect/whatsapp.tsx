import type { ChannelView } from '../../../contract/dashboard/channel.ts'
import { Ltr } from '../../parts/Code.tsx'
import { Details, Panel } from '../../parts/Page.tsx'
import { ProgressBar } from '../../parts/ProgressBar.tsx'
import { Time } from '../../parts/Time.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { PasteAtMeta } from '../PasteAtMeta.tsx'
import { fieldBy, textsBy, type ChannelGuide } from './channel-guide.ts'
import { whatsAppWords } from './whatsapp-words.ts'

/** People write numbers with spaces, brackets and dashes. */
const withoutSigns = (typed: string) => typed.replaceAll(/[\s+()-]/g, '')

export const whatsAppGuide: ChannelGuide = {
  Panels: Coexistence,
  asksCountry: true,
  useTexts() {
    const t = useWords(whatsAppWords)
    return {
      ...textsBy(t),
      needed: t('needed'),
      fields: [
        { ...fieldBy(t, 'displayNumber'), read: withoutSigns },
        fieldBy(t, 'phoneNumberId'),
        fieldBy(t, 'businessAccountId'),
        { ...fieldBy(t, 'accessToken'), isSecret: true },
        { ...fieldBy(t, 'appSecret'), isSecret: true },
      ],
    }
  },
  AtProvider: ({ channel, shownOnce }) => (
    <PasteAtMeta
      channel={channel}
      shownOnce={shownOnce}
      section="WhatsApp, Configuration, Webhook"
      needed="messages"
      useful="message_template_status_update, template_category_update, account_update, smb_message_echoes, history, smb_app_state_sync, user_preferences, standby"
    />
  ),
}

/** The progress of importing earlier messages of a number that its owner uses in the WhatsApp Business app too. */
function Coexistence({ channel: { isCoexistence, history } }: { channel: ChannelView }) {
  const t = useWords(whatsAppWords)
  if (!isCoexistence) return null
  return (
    <Panel title={t('coexistence')}>
      <div className={styles.form}>
        <p>{t('coexistence_lead')}</p>
        {history?.isDeclined && <p>{t('history_declined')}</p>}
        {history && !history.isDeclined && (
          <>
            <ProgressBar label={t('history')} value={history.percent} limit={100} />
            <Details
              items={[
                [t('history'), <Ltr key="percent">{`${history.percent} %`}</Ltr>],
                [t('history_told'), <Time key="at" at={history.reportedAt} />],
              ]}
            />
          </>
        )}
      </div>
    </Panel>
  )
}
