import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { ChannelAdapter } from './channel-adapter.ts'

/** The start of the path of every provider's webhooks, followed by the channel type. */
export const WEBHOOKS_PREFIX = '/webhooks/'

/**
 * Returns the path of the webhooks for all channels of a type, under the public origin. It ends with the code of the
 * cell, by which a router in front of several installations sends a webhook to the right one.
 */
export const webhookPath = (type: ChannelType, cell: string) => `${WEBHOOKS_PREFIX}${type}/${cell}`

/**
 * Returns the URL to which the provider posts a channel's webhooks, or null when it posts none. All channels of a type
 * share one where the webhooks name their channel; otherwise it ends with the channel's id.
 */
export function webhookUrlOf(
  publicUrl: string,
  cell: string,
  { type, webhook }: Pick<ChannelAdapter, 'type' | 'webhook'>,
  channelId: string,
): string | null {
  if (!webhook) return null
  const ofType = `${publicUrl}${webhookPath(type, cell)}`
  return webhook.namesIn ? ofType : `${ofType}/${channelId}`
}
