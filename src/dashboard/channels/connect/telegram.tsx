import { useWords } from '../../words/use-words.tsx'
import type { ChannelGuide } from './channel-guide.ts'
import { telegramWords } from './telegram-words.ts'

/** Nothing is to be pasted at Telegram: where it posts to, it is told by the token. */
export const telegramGuide: ChannelGuide = {
  useTexts() {
    const t = useWords(telegramWords)
    return {
      connect: t('connect'),
      lead: t('lead'),
      given: t('given'),
      needed: null,
      tryIt: t('try_it'),
      fields: [
        { name: 'botToken', label: t('botToken'), where: t('botToken_where'), isSecret: true },
        {
          name: 'delivery',
          isSetLater: true,
          label: t('delivery'),
          where: t('delivery_where'),
          options: [
            { value: 'polling', label: t('polling') },
            { value: 'webhook', label: t('webhook') },
          ],
        },
      ],
    }
  },
}
