import { ServiceError } from '../service-error.ts'
import type { WhatsAppConnection } from './channel-adapter.ts'
import type { Channel } from './load-channel.ts'
import type { WhatsAppAdapter } from './whatsapp/send.ts'

/** Origins of the providers: the real ones, and the simulator's on this machine. */
export type ProviderBaseUrls = { whatsApp: string; whatsAppSimulator: string | null }

/** The way to the providers: an adapter each, where they are, and which version they speak. */
export type Providers = {
  whatsApp: WhatsAppAdapter
  baseUrls: ProviderBaseUrls
  whatsAppApiVersion: string
}

/**
 * A channel as its adapter needs it. A simulated channel is the same adapter on another base URL.
 * @throws provider_failed when the channel is simulated and the simulator is not running.
 */
export function connectionOf(
  { baseUrls, whatsAppApiVersion }: Omit<Providers, 'whatsApp'>,
  channel: Pick<Channel, 'isSimulated' | 'route' | 'providerAccount'> & {
    credentials: { accessToken: string }
  },
): WhatsAppConnection {
  const baseUrl = channel.isSimulated ? baseUrls.whatsAppSimulator : baseUrls.whatsApp
  if (!baseUrl) throw new ServiceError('provider_failed', 'The simulator is not running.')
  return {
    baseUrl,
    apiVersion: whatsAppApiVersion,
    phoneNumberId: channel.route,
    businessAccountId: channel.providerAccount ?? '',
    accessToken: channel.credentials.accessToken,
  }
}
