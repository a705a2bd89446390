import { useWords } from '../../words/use-words.tsx'
import { PasteAtMeta } from '../PasteAtMeta.tsx'
import { fieldBy, textsBy, type ChannelGuide } from './channel-guide.ts'
import { messengerWords } from './messenger-words.ts'

export const messengerGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(messengerWords)
    return {
      ...textsBy(t),
      needed: t('needed'),
      fields: [
        fieldBy(t, 'pageId'),
        { ...fieldBy(t, 'accessToken'), isSecret: true },
        { ...fieldBy(t, 'appSecret'), isSecret: true },
      ],
    }
  },
  AtProvider({ channel, shownOnce }) {
    const t = useWords(messengerWords)
    return (
      <PasteAtMeta
        channel={channel}
        shownOnce={shownOnce}
        section="Messenger, API setup, Configure webhooks"
        needed="messages, messaging_postbacks"
        useful="message_deliveries, message_reads, message_echoes, standby, messaging_policy_enforcement"
        note={t('automatic')}
      />
    )
  },
}
