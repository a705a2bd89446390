import type { ChannelType } from '../vocabulary/channels.ts'
import { defineWordsOf } from './define-words.ts'

/** The names of channel types. */
export const channelWords = defineWordsOf<ChannelType>()({
  en: {
    whatsapp: 'WhatsApp',
    whatsapp_qr: 'WhatsApp via QR code',
    telegram: 'Telegram',
    messenger: 'Messenger',
    instagram: 'Instagram',
    web_widget: 'Website chat',
    website: 'Website form',
    voice: 'Phone calls',
  },
  ar: {
    whatsapp: 'واتساب',
    whatsapp_qr: 'واتساب عبر رمز QR',
    telegram: 'تيليجرام',
    messenger: 'ماسنجر',
    instagram: 'إنستغرام',
    web_widget: 'دردشة الموقع',
    website: 'نموذج الموقع',
    voice: 'المكالمات الهاتفية',
  },
})
