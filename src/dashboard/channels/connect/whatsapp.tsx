import { useWords } from '../../words/use-words.tsx'
import { PasteAtMeta } from '../PasteAtMeta.tsx'
import type { ChannelGuide } from './channel-guide.ts'
import { whatsAppWords } from './whatsapp-words.ts'

/** As people write numbers. */
const withoutSigns = (typed: string) => typed.replaceAll(/[\s+()-]/g, '')

export const whatsAppGuide: ChannelGuide = {
  asksCountry: true,
  useTexts() {
    const t = useWords(whatsAppWords)
    const field = (
      name: 'displayNumber' | 'phoneNumberId' | 'businessAccountId' | 'accessToken' | 'appSecret',
    ) => ({ name, label: t(name), where: t(`${name}_where`) })
    return {
      connect: t('connect'),
      lead: t('lead'),
      given: t('given'),
      needed: t('needed'),
      tryIt: t('try_it'),
      fields: [
        { ...field('displayNumber'), read: withoutSigns },
        field('phoneNumberId'),
        field('businessAccountId'),
        { ...field('accessToken'), isSecret: true },
        { ...field('appSecret'), isSecret: true },
      ],
    }
  },
  AtProvider: ({ channel, shownOnce }) => (
    <PasteAtMeta
      channel={channel}
      shownOnce={shownOnce}
      section="WhatsApp, Configuration, Webhook"
      needed="messages"
      useful="message_template_status_update, template_category_update, account_update, smb_message_echoes, history, user_id_update"
    />
  ),
}
