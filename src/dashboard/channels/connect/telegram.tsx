import { useWords } from '../../words/use-words.tsx'
import { fieldBy, textsBy, type ChannelGuide } from './channel-guide.ts'
import { telegramWords } from './telegram-words.ts'

/** The guide of Telegram, where nothing has to be pasted: the service registers its webhook by the bot token. */
export const telegramGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(telegramWords)
    return {
      ...textsBy(t),
      needed: null,
      fields: [
        { ...fieldBy(t, 'botToken'), isSecret: true },
        {
          ...fieldBy(t, 'delivery'),
          isSetLater: true,
          options: [
            { value: 'polling', label: t('polling') },
            { value: 'webhook', label: t('webhook') },
          ],
        },
      ],
    }
  },
}
