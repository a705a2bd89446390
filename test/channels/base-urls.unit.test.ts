/** A simulated channel uses another base URL than the provider's, and never the real one. */
import { expect, test } from 'vitest'
import { baseUrlOf, realBaseUrls } from '../../src/modules/channels/base-urls.ts'

const REAL = { baseUrl: 'https://real.example' }
const settings = { whatsApp: REAL, messenger: REAL, instagram: REAL, telegram: REAL }
const baseUrls = realBaseUrls({ ...settings, whatsAppQrBridge: null })
baseUrls.simulated.whatsApp = 'http://127.0.0.1:4081'

test.each([
  ['a channel', 'whatsApp', false, REAL.baseUrl],
  ['a simulated channel', 'whatsApp', true, 'http://127.0.0.1:4081'],
  ['a channel of a type whose simulator does not run', 'telegram', false, REAL.baseUrl],
] as const)('%s uses its base URL', (_what, name, isSimulated, url) => {
  expect(baseUrlOf(baseUrls, name, { isSimulated })).toBe(url)
})

test('a simulated channel without a running simulator has no base URL', () => {
  expect(() => baseUrlOf(baseUrls, 'telegram', { isSimulated: true })).toThrow(
    expect.objectContaining({ code: 'provider_failed' }),
  )
})
