/** The adapter of Instagram. Spec: Channels › Instagram. */
import { z } from 'zod'
import { baseUrlOf, type BaseUrlsOf, type ProviderBaseUrls } from '../base-urls.ts'
import type { ChannelAdapter, CredentialsForm } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import {
  metaSecrets,
  META_SECRET_USES,
  providerId,
  type MetaCredentials,
} from '../meta/form-fields.ts'
import { metaWebhook } from '../meta/meta-webhook.ts'
import { createMessagingCalls } from '../meta/messaging-calls.ts'
import type { MessagingConnection } from '../meta/messaging-connection.ts'
import { explainMessagingError, classifyMessagingCode } from '../meta/messaging-errors.ts'
import { peekPages } from '../meta/peek-pages.ts'
import { parseMessaging } from '../meta/read-messaging.ts'
import type { ProviderClientOptions } from '../provider/provider-client.ts'

/** The options of the adapter of Instagram. */
export type InstagramOptions = ProviderClientOptions & {
  /** Base URLs for accounts that signed in with Instagram, and for those linked to a Facebook page. */
  baseUrls: BaseUrlsOf<'instagram'> & Pick<ProviderBaseUrls, 'messenger'>
  /** e.g. `v25.0`. */
  apiVersion: string
}

/** The issuer of the access token: an Instagram account, or the Facebook page that it is linked to. */
const LOGINS = ['instagram', 'facebook'] as const

const FORM = {
  fields: z.strictObject({ instagramId: providerId, login: z.enum(LOGINS), ...metaSecrets }),
  secrets: META_SECRET_USES,
} as const satisfies CredentialsForm

/** Creates the adapter for messages of an Instagram professional account. */
export function createInstagramAdapter({
  baseUrls,
  apiVersion,
  ...options
}: InstagramOptions): ChannelAdapter<MetaCredentials> {
  const isOfPage = ({ settings }: ChannelAccess<MetaCredentials>) =>
    settings['login'] === 'facebook'

  function connectionOf(channel: ChannelAccess<MetaCredentials>): MessagingConnection {
    const isPage = isOfPage(channel)
    // The simulator plays both at one address.
    const isAtFacebook = isPage && !channel.isSimulated
    return {
      baseUrl: isAtFacebook ? baseUrls.messenger : baseUrlOf(baseUrls, 'instagram', channel),
      apiVersion,
      accessToken: channel.credentials.accessToken,
      classifyCode: classifyMessagingCode,
      // A page's token speaks for the page, which the form does not name.
      sender: isPage ? 'me' : channel.route,
      platform: isPage ? 'instagram' : null,
      repeatsReferences: false,
    }
  }

  const calls = createMessagingCalls(options, {
    connectionOf,
    profileFields: 'name,username',
    senderOf: (channel) => ({
      id: channel.route,
      // A page's token is checked by the account linked to it, the only one that it knows.
      path: isOfPage(channel) ? channel.route : 'me',
      fields: isOfPage(channel) ? 'id,username,name' : 'id,user_id,username,name',
      // The other id is app-scoped: no webhook contains it, so the channel would never be found by it.
      idsIn: ({ id, user_id: userId }) => [userId ?? id],
      // Meta describes no proof for graph.instagram.com.
      appSecret: isOfPage(channel) ? channel.credentials.appSecret : null,
    }),
  })
  return {
    type: 'instagram',
    form: FORM,
    recipientFields: ['login'],
    identify: ({ instagramId: id = '', login = 'instagram' }) => {
      return { route: id, account: id, displayNumber: null, settings: { login }, country: null }
    },
    openFields: ({ route, settings }) => ({ instagramId: route, login: settings['login'] ?? null }),
    webhook: metaWebhook({
      namesIn: peekPages,
      parse: (body, context) => parseMessaging(body, { object: 'instagram' }, context),
    }),
    ...calls,
    explain: (error) => explainMessagingError('instagram', error),
  }
}
