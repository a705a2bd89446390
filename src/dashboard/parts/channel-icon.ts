import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { IconName } from './icons.ts'

const CHANNEL_ICONS: Readonly<Record<ChannelType, IconName>> = {
  whatsapp: 'whatsapp',
  whatsapp_qr: 'whatsapp',
  telegram: 'telegram',
  messenger: 'messenger',
  instagram: 'instagram',
  web_widget: 'globe',
  website: 'globe',
  voice: 'phone',
}

/** Returns the icon of a channel type. A type that this version does not know gets the general icon of channels. */
export function channelIcon(type: string): IconName {
  return CHANNEL_ICONS[type as ChannelType] ?? 'channels'
}
