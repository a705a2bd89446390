import type { ChannelType } from '../vocabulary/channels.ts'

/** Below it each provider has its address, by the type of its channels. */
export const WEBHOOKS_PREFIX = '/webhooks/'

/** Where a provider posts to us, under the service's public origin. */
export const webhookPath = (type: ChannelType) => `${WEBHOOKS_PREFIX}${type}`
