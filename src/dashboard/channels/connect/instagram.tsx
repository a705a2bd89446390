import { useWords } from '../../words/use-words.tsx'
import styles from '../channels.module.css'
import { PasteAtMeta } from '../PasteAtMeta.tsx'
import type { ChannelGuide } from './channel-guide.ts'
import { instagramWords } from './instagram-words.ts'

export const instagramGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(instagramWords)
    const field = (name: 'login' | 'instagramId' | 'accessToken' | 'appSecret') => ({
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
        field('instagramId'),
        {
          ...field('login'),
          options: (['instagram', 'facebook'] as const).map((value) => ({
            value,
            label: t(`login_${value}`),
          })),
        },
        { ...field('accessToken'), isSecret: true },
        { ...field('appSecret'), isSecret: true },
      ],
    }
  },
  AtProvider({ channel, shownOnce }) {
    const t = useWords(instagramWords)
    return (
      <>
        <PasteAtMeta
          channel={channel}
          shownOnce={shownOnce}
          section="Instagram, API setup, Configure webhooks"
          needed="messages, messaging_postbacks"
          useful="messaging_seen, message_echoes, standby, message_reactions"
        />
        <p className={styles.note}>{t('automatic')}</p>
      </>
    )
  },
}
