import { fact } from '../../core/facts/fact.ts'
import type { Context } from '../../infra/context.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import type { ProviderBaseUrls } from './base-urls.ts'
import { createInstagramAdapter } from './instagram/adapter.ts'
import { createMessengerAdapter } from './messenger/adapter.ts'
import { createWebsiteAdapter } from './website/adapter.ts'
import { createTelegramAdapter } from './telegram/adapter.ts'
import { createVoiceAdapter } from './voice/adapter.ts'
import { createWhatsAppQrAdapter } from './whatsapp-qr/adapter.ts'
import { createWhatsAppAdapter } from './whatsapp/adapter.ts'

/** The adapter of each channel type; null for types that this version cannot connect. */
export type ChannelAdapters = Readonly<Record<ChannelType, ChannelAdapter | null>>

/** Creates the adapters of all channel types. */
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
    web_widget: createWebsiteAdapter('web_widget'),
    website: createWebsiteAdapter('website'),
    voice: createVoiceAdapter({ baseUrls, clock, newReference }),
  }
}

/**
 * Returns the adapter for the type of an existing channel.
 * @throws provider_failed when this version has none for its type
 */
export function adapterOf(adapters: ChannelAdapters, type: string): ChannelAdapter {
  const adapter = Object.hasOwn(adapters, type) ? adapters[type as ChannelType] : null
  if (adapter) return adapter
  throw new ServiceError('provider_failed', fact('no_provider_of_type', { type }))
}

/** Returns the adapter of a type to connect. @throws invalid when no channel of the type can be connected */
export function requireAdapter(adapters: ChannelAdapters, type: ChannelType): ChannelAdapter {
  const adapter = adapters[type]
  if (adapter) return adapter
  throw new ServiceError('invalid', fact('type_not_connectable', { type }), {
    errors: [{ field: 'type', ...fact('type_without_channels') }],
  })
}
