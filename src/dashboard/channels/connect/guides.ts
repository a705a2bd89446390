import type { ChannelType } from '../../../core/vocabulary/channels.ts'
import type { ChannelGuide } from './channel-guide.ts'
import { instagramGuide } from './instagram.tsx'
import { messengerGuide } from './messenger.tsx'
import { webWidgetGuide, websiteGuide } from './site.tsx'
import { telegramGuide } from './telegram.tsx'
import { voiceGuide } from './voice.tsx'
import { whatsAppQrGuide } from './whatsapp-qr.tsx'
import { whatsAppGuide } from './whatsapp.tsx'

/** The guide of each channel type, in the order of the page; null for a type that cannot be connected. */
export const GUIDES: Readonly<Record<ChannelType, ChannelGuide | null>> = {
  whatsapp: whatsAppGuide,
  whatsapp_qr: whatsAppQrGuide,
  telegram: telegramGuide,
  messenger: messengerGuide,
  instagram: instagramGuide,
  web_widget: webWidgetGuide,
  website: websiteGuide,
  voice: voiceGuide,
}

/** Returns the guide of a channel type, or null for a type that this version does not know. */
export function guideOf(type: string): ChannelGuide | null {
  return Object.hasOwn(GUIDES, type) ? GUIDES[type as ChannelType] : null
}
