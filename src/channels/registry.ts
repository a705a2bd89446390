import { fact } from '../facts/fact.ts'
import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import type { ChannelType } from '../vocabulary/channels.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import { createInstagramAdapter, type InstagramOptions } from './instagram/adapter.ts'
import { createMessengerAdapter, type MessengerOptions } from './messenger/adapter.ts'
import { createOwnDoorAdapter } from './own-door/adapter.ts'
import { createTelegramAdapter, type TelegramOptions } from './telegram/adapter.ts'
import { createVoiceAdapter, type VoiceOptions } from './voice/adapter.ts'
import { createWhatsAppQrAdapter, type WhatsAppQrOptions } from './whatsapp-qr/adapter.ts'
import { createWhatsAppAdapter, type WhatsAppOptions } from './whatsapp/adapter.ts'

/** The adapter of each type of channel; null where none can be connected in this version. */
export type ChannelAdapters = Readonly<Record<ChannelType, ChannelAdapter | null>>

/** Origins of the providers' APIs: the real ones, and the simulator's while it runs on this machine. */
export type ProviderBaseUrls = WhatsAppOptions['baseUrls'] &
  MessengerOptions['baseUrls'] &
  InstagramOptions['baseUrls'] &
  TelegramOptions['baseUrls'] &
  WhatsAppQrOptions['baseUrls'] &
  VoiceOptions['baseUrls']

/** Those of the settings; no simulator is running yet. */
export function realBaseUrls(
  of: Record<'whatsApp' | 'messenger' | 'instagram' | 'telegram', { baseUrl: string }> & {
    whatsAppQrBridge: ProviderBaseUrls['qrBridge']
  },
): ProviderBaseUrls {
  return {
    whatsApp: of.whatsApp.baseUrl,
    whatsAppSimulator: null,
    telegram: of.telegram.baseUrl,
    telegramSimulator: null,
    messenger: of.messenger.baseUrl,
    messengerSimulator: null,
    instagram: of.instagram.baseUrl,
    instagramSimulator: null,
    qrBridge: of.whatsAppQrBridge,
    qrBridgeSimulator: null,
    telnyx: 'https://api.telnyx.com',
    telnyxSimulator: null,
  }
}

export function createChannelAdapters({
  baseUrls,
  graphApiVersion,
  ids,
  clock,
}: {
  baseUrls: ProviderBaseUrls
  graphApiVersion: string
} & Pick<Context, 'ids' | 'clock'>): ChannelAdapters {
  const newReference = () => ids.uuid()
  return {
    whatsapp: createWhatsAppAdapter({ baseUrls, apiVersion: graphApiVersion }),
    whatsapp_qr: createWhatsAppQrAdapter({ baseUrls, newReference }),
    telegram: createTelegramAdapter({ baseUrls }),
    messenger: createMessengerAdapter({ baseUrls, apiVersion: graphApiVersion }),
    instagram: createInstagramAdapter({ baseUrls, apiVersion: graphApiVersion }),
    web_widget: createOwnDoorAdapter('web_widget'),
    website: createOwnDoorAdapter('website'),
    voice: createVoiceAdapter({ baseUrls, clock, newReference }),
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
