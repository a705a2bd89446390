import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { ChannelAdapter } from './channel-adapter.ts'

/** Below it each provider has its address, by the type of its channels. */
export const WEBHOOKS_PREFIX = '/webhooks/'

/** Where a provider posts to us for all channels of a type, under the service's public origin. */
export const webhookPath = (type: ChannelType) => `${WEBHOOKS_PREFIX}${type}`

/**
 * Where the provider of a channel posts: one address for all of its type where what it posts names the
 * channel, else one for each. Null where it does not post.
 */
export function webhookUrlOf(
  publicUrl: string,
  { type, webhook }: Pick<ChannelAdapter, 'type' | 'webhook'>,
  channelId: string,
): string | null {
  if (!webhook) return null
  const ofType = `${publicUrl}${webhookPath(type)}`
  return webhook.namesIn ? ofType : `${ofType}/${channelId}`
}
