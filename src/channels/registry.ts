import { fact } from '../facts/fact.ts'
import { ServiceError } from '../service-error.ts'
import type { ChannelType } from '../vocabulary/channels.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import { createOwnDoorAdapter } from './own-door/adapter.ts'
import { createVoiceAdapter, type VoiceOptions } from './voice/adapter.ts'
import { createWhatsAppQrAdapter, type WhatsAppQrOptions } from './whatsapp-qr/adapter.ts'
import { createWhatsAppAdapter, type WhatsAppOptions } from './whatsapp/adapter.ts'

/** The adapter of each type of channel; null where none can be connected in this version. */
export type ChannelAdapters = Readonly<Record<ChannelType, ChannelAdapter | null>>

export function createChannelAdapters(options: {
  whatsApp: WhatsAppOptions
  whatsAppQr?: WhatsAppQrOptions
  voice?: VoiceOptions
}): ChannelAdapters {
  return {
    whatsapp: createWhatsAppAdapter(options.whatsApp),
    whatsapp_qr: options.whatsAppQr ? createWhatsAppQrAdapter(options.whatsAppQr) : null,
    telegram: null,
    messenger: null,
    instagram: null,
    web_widget: createOwnDoorAdapter('web_widget'),
    website: createOwnDoorAdapter('website'),
    voice: options.voice ? createVoiceAdapter(options.voice) : null,
  }
}

/** Of a channel that there is. @throws provider_failed where this version has none for its type. */
export function adapterOf(adapters: ChannelAdapters, type: string): ChannelAdapter {
  const adapter = Object.hasOwn(adapters, type) ? adapters[type as ChannelType] : null
  if (adapter) return adapter
  throw new ServiceError('provider_failed', fact('no_provider_of_type', { type }))
}

/** @throws invalid where no channel of the type can be connected. */
export function requireAdapter(adapters: ChannelAdapters, type: ChannelType): ChannelAdapter {
  const adapter = adapters[type]
  if (adapter) return adapter
  throw new ServiceError('invalid', fact('type_not_connectable', { type }), {
    errors: [{ field: 'type', ...fact('type_without_channels') }],
  })
}
