/**
 * The adapters of the widget and the form on a merchant's website. There is no provider, so nothing is signed or
 * requested: visitors' messages arrive through `http/visitors`, and visitors can read an outgoing message once its
 * row is marked as sent.
 *
 * Spec: Channels › The website's chat; Channels › The website's form.
 */
import { z } from 'zod'
import { fact } from '../../../core/facts/fact.ts'
import type { ChannelAdapter } from '../channel-adapter.ts'

/**
 * The prefix of the provider ids of widget messages. Triggers of the database recognize these messages by it, and show
 * them to the visitor.
 */
export const WIDGET_MESSAGE_PREFIX = 'ww:'

const NO_IDENTITY = { account: null, displayNumber: null, settings: {}, country: null }

/** Creates the adapter of the chat widget, or of the web form, on which nothing can be sent. */
export function createWebsiteAdapter(type: 'web_widget' | 'website'): ChannelAdapter {
  return {
    type,
    // The generated key is public: the merchant's page contains it.
    form: { fields: z.strictObject({}), secrets: {} },
    identify: ({ key = '' }) => ({ ...NO_IDENTITY, route: key }),
    openFields: ({ route }) => ({ key: route }),

    webhook: null,
    send: (_channel, _to, { kind }, { ourReference }) =>
      Promise.resolve(
        type === 'web_widget' && (kind === 'text' || kind === 'media')
          ? { outcome: 'accepted', providerMessageId: `${WIDGET_MESSAGE_PREFIX}${ourReference}` }
          : { outcome: 'refused', error: { code: 'not_sendable', class: 'content', message: '' } },
      ),
    check: () => Promise.resolve({ ok: true, label: '' }),
    explain: ({ message, code }) => fact('provider_refused', { said: message, providerCode: code }),
    close: () => Promise.resolve(),
  }
}
