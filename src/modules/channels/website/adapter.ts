/**
 * Channels whose door is our own: the widget and the form on a merchant's website. No provider stands between
 * us and who writes, so nothing is signed and nothing asked: what they say comes by `http/visitors`, and
 * what is said to a visitor is theirs to read once its row says that it was sent.
 *
 * Spec: Channels › The website's chat; Channels › The website's form.
 */
import { z } from 'zod'
import { fact } from '../../../core/facts/fact.ts'
import type { ChannelAdapter } from '../channel-adapter.ts'

/** Before the ids of what is said in a widget: a trigger shows it to the visitor. */
export const SHOWN_TO_VISITOR = 'ww:'

const NOTHING_MORE = { account: null, displayNumber: null, settings: {}, country: null }

export function createWebsiteAdapter(type: 'web_widget' | 'website'): ChannelAdapter {
  return {
    type,
    // The key of its door is made by us, and is no secret: it stands in the merchant's page.
    form: { fields: z.strictObject({}), secrets: {} },
    identify: ({ key = '' }) => ({ ...NOTHING_MORE, route: key }),
    openFields: ({ route }) => ({ key: route }),

    webhook: null,
    send: (_channel, _to, { kind }, { ourReference }) =>
      Promise.resolve(
        type === 'web_widget' && (kind === 'text' || kind === 'media')
          ? { outcome: 'accepted', providerMessageId: `${SHOWN_TO_VISITOR}${ourReference}` }
          : { outcome: 'refused', error: { code: 'not_sendable', class: 'content', message: '' } },
      ),
    check: () => Promise.resolve({ ok: true, label: '' }),
    explain: ({ message, code }) => fact('provider_refused', { said: message, providerCode: code }),
    close: () => Promise.resolve(),
  }
}
