import { useWords } from '../../words/use-words.tsx'
import { PasteAtMeta } from '../PasteAtMeta.tsx'
import { fieldBy, textsBy, type ChannelGuide } from './channel-guide.ts'
import { instagramWords } from './instagram-words.ts'

export const instagramGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(instagramWords)
    return {
      ...textsBy(t),
      needed: t('needed'),
      fields: [
        fieldBy(t, 'instagramId'),
        {
          ...fieldBy(t, 'login'),
          options: (['instagram', 'facebook'] as const).map((value) => ({
            value,
            label: t(`login_${value}`),
          })),
        },
        { ...fieldBy(t, 'accessToken'), isSecret: true },
        { ...fieldBy(t, 'appSecret'), isSecret: true },
      ],
    }
  },
  AtProvider({ channel, shownOnce }) {
    const t = useWords(instagramWords)
    return (
      <PasteAtMeta
        channel={channel}
        shownOnce={shownOnce}
        section="Instagram, API setup, Configure webhooks"
        needed="messages, messaging_postbacks"
        useful="messaging_seen, message_echoes, standby, message_reactions"
        note={t('automatic')}
      />
    )
  },
}
