import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

/** The address of the QR bridge: `http://127.0.0.1:4190` or `unix:/run/wasla/bridge.sock`. */
export type BridgeAddress = { url: string; secret: string }

/** The base URLs of the providers' APIs. */
type Urls = {
  whatsApp: string
  messenger: string
  instagram: string
  telegram: string
  telnyx: string
  /** The bridge of numbers linked by QR code; null without one. */
  qrBridge: BridgeAddress | null
}
type Name = keyof Urls

/** The base URLs of some providers, and of their running simulators for simulated channels. */
export type BaseUrlsOf<Some extends Name> = Pick<Urls, Some> & {
  simulated: Partial<Pick<Urls, Some>>
}

/** The base URLs of all providers. */
export type ProviderBaseUrls = BaseUrlsOf<Name> & {
  simulated: {
    /** The page on which a person plays the customers of simulated channels. */
    phonesUrl?: string
  }
}

type Settings = Record<'whatsApp' | 'messenger' | 'instagram' | 'telegram', { baseUrl: string }> & {
  whatsAppQrBridge: BridgeAddress | null
}

/** Returns the base URLs of the settings, before any simulator runs. */
export function realBaseUrls(settings: Settings): ProviderBaseUrls {
  return {
    whatsApp: settings.whatsApp.baseUrl,
    telegram: settings.telegram.baseUrl,
    messenger: settings.messenger.baseUrl,
    instagram: settings.instagram.baseUrl,
    qrBridge: settings.whatsAppQrBridge,
    telnyx: 'https://api.telnyx.com',
    simulated: {},
  }
}

/**
 * Returns the base URL of a channel's provider.
 * @throws provider_failed when the channel is simulated and its simulator is not running.
 */
export function baseUrlOf<Some extends Exclude<Name, 'qrBridge'>>(
  baseUrls: BaseUrlsOf<Some>,
  name: Some,
  { isSimulated }: { isSimulated: boolean },
): string {
  const url = isSimulated ? baseUrls.simulated[name] : baseUrls[name]
  if (url === undefined) throw new ServiceError('provider_failed', fact('simulator_not_running'))
  return url
}
