import { realBaseUrls, type ProviderBaseUrls } from '../../src/modules/channels/base-urls.ts'

const NOWHERE = { baseUrl: 'http://127.0.0.1:9' }

/** Of providers that nobody reaches, until a test puts one of its own there. */
export function baseUrlsNowhere(): ProviderBaseUrls {
  return realBaseUrls({
    whatsApp: NOWHERE,
    messenger: NOWHERE,
    instagram: NOWHERE,
    telegram: NOWHERE,
    whatsAppQrBridge: null,
  })
}
