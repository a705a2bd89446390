import type { ChannelType } from '../../vocabulary/channels.ts'
import { defineWordsOf } from '../words/define-words.ts'

/** Channels by their names. */
export const channelWords = defineWordsOf<ChannelType>()({
  en: {
    whatsapp: 'WhatsApp',
    whatsapp_qr: 'WhatsApp by QR code',
    telegram: 'Telegram',
    messenger: 'Messenger',
    instagram: 'Instagram',
    web_widget: 'the website’s chat',
    website: 'the website’s form',
    voice: 'calls',
  },
  ar: {
    whatsapp: 'واتساب',
    whatsapp_qr: 'واتساب برمز QR',
    telegram: 'تيليغرام',
    messenger: 'ماسنجر',
    instagram: 'إنستغرام',
    web_widget: 'محادثة الموقع',
    website: 'نموذج الموقع',
    voice: 'المكالمات',
  },
})
