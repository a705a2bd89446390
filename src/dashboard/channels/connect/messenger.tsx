import { useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { PasteAtMeta } from '../PasteAtMeta.tsx'
import type { ChannelGuide } from './channel-guide.ts'
import { messengerWords } from './messenger-words.ts'

export const messengerGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(messengerWords)
    const field = (name: 'pageId' | 'accessToken' | 'appSecret') => ({
      name,
      label: t(name),
      where: t(`${name}_where`),
    })
    return {
      connect: t('connect'),
      lead: t('lead'),
      given: t('given'),
      needed: t('needed'),
      tryIt: t('try_it'),
      fields: [
        field('pageId'),
        { ...field('accessToken'), isSecret: true },
        { ...field('appSecret'), isSecret: true },
      ],
    }
  },
  AtProvider({ channel, shownOnce }) {
    const t = useWords(messengerWords)
    return (
      <>
        <PasteAtMeta
          channel={channel}
          shownOnce={shownOnce}
          section="Messenger, API setup, Configure webhooks"
          needed="messages, messaging_postbacks"
          useful="message_deliveries, message_reads, message_echoes, standby, messaging_policy_enforcement"
        />
        <p className={styles.note}>{t('automatic')}</p>
      </>
    )
  },
}
