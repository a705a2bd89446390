/** The adapter of Messenger. Spec: Channels › Messenger. */
import { z } from 'zod'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
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

/** The options of the adapter of Messenger. */
export type MessengerOptions = ProviderClientOptions & {
  baseUrls: BaseUrlsOf<'messenger'>
  /** e.g. `v25.0`. */
  apiVersion: string
}

const FORM = {
  fields: z.strictObject({ pageId: providerId, ...metaSecrets }),
  secrets: META_SECRET_USES,
} as const satisfies CredentialsForm

/** Creates the adapter for messages of a Facebook page. */
export function createMessengerAdapter({
  baseUrls,
  apiVersion,
  ...options
}: MessengerOptions): ChannelAdapter<MetaCredentials> {
  function connectionOf(channel: ChannelAccess<MetaCredentials>): MessagingConnection {
    return {
      baseUrl: baseUrlOf(baseUrls, 'messenger', channel),
      apiVersion,
      accessToken: channel.credentials.accessToken,
      classifyCode: classifyMessagingCode,
      sender: channel.route,
      platform: null,
      repeatsReferences: true,
    }
  }

  const calls = createMessagingCalls(options, {
    connectionOf,
    profileFields: 'first_name,last_name',
    senderOf: (channel) => ({
      id: channel.route,
      path: 'me',
      fields: 'id,name',
      idsIn: ({ id }) => [id],
      appSecret: channel.credentials.appSecret,
    }),
  })
  return {
    type: 'messenger',
    form: FORM,
    // A page is its own account, so its state events name no other.
    identify: ({ pageId = '' }) => {
      return { route: pageId, account: pageId, displayNumber: null, settings: {}, country: null }
    },
    openFields: ({ route }) => ({ pageId: route }),
    webhook: metaWebhook({
      namesIn: peekPages,
      parse: (body, context) => parseMessaging(body, { object: 'page' }, context),
    }),
    ...calls,
    explain: (error) => explainMessagingError('messenger', error),
  }
}
