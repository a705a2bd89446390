import { realBaseUrls, type ProviderBaseUrls } from '../../src/modules/channels/base-urls.ts'

const NOWHERE = { baseUrl: 'http://127.0.0.1:9' }

/** Returns base URLs at which no provider answers. A test replaces those that it needs. */
export function baseUrlsNowhere(): ProviderBaseUrls {
  return realBaseUrls({
    whatsApp: NOWHERE,
    messenger: NOWHERE,
    instagram: NOWHERE,
    telegram: NOWHERE,
    whatsAppQrBridge: null,
  })
}
