import type { ChannelType } from '../../vocabulary/channels.ts'
import { defineWordsOf } from '../words/define-words.ts'

/** The channels by their names. */
export const channelWords = defineWordsOf<ChannelType>()({
  en: {
    whatsapp: 'WhatsApp',
    whatsapp_qr: 'WhatsApp by QR code',
    telegram: 'Telegram',
    messenger: 'Messenger',
    instagram: 'Instagram',
    web_widget: 'the website’s chat',
    website: 'the website',
    voice: 'the phone',
  },
  ar: {
    whatsapp: 'واتساب',
    whatsapp_qr: 'واتساب برمز QR',
    telegram: 'تيليجرام',
    messenger: 'ماسنجر',
    instagram: 'إنستغرام',
    web_widget: 'محادثة الموقع',
    website: 'الموقع',
    voice: 'الهاتف',
  },
})
