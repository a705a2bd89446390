import type { Kysely } from 'kysely'
import { SecretUnreadable, type KeyRing } from '../accounts/key-ring.ts'
import type { DB } from '../database/tables.ts'
import type { CustomerRef, Outbound, SendResult } from './channel-adapter.ts'
import { loadChannel } from './load-channel.ts'
import { connectionOf, type Providers } from './provider-connection.ts'

export const NOT_SENT = 'not_sent'

export type SendOnChannelDeps = Providers & { db: Kysely<DB>; keyRing: KeyRing }

/**
 * Sends one message through the channel's provider. A simulated channel is the same adapter on
 * another base URL. Never throws: what fails before the provider was asked is refused for now.
 */
export function createSendOnChannel(deps: SendOnChannelDeps) {
  return async function sendOnChannel(
    channelId: string,
    to: CustomerRef,
    message: Outbound,
    ourReference: string,
  ): Promise<SendResult> {
    let connection
    try {
      const channel = await loadChannel(deps.db, deps.keyRing, channelId)
      if (!channel) return notSent('the channel is gone')
      connection = connectionOf(deps, channel)
    } catch (error) {
      return notSent(
        error instanceof SecretUnreadable
          ? "the channel's credentials could not be read here"
          : (error as Error).message,
      )
    }
    return deps.whatsApp.send(connection, to, message, { ourReference })
  }
}

/** `not_sent` tells whoever shows it that these are our words, not the provider's. */
function notSent(message: string): SendResult {
  return { outcome: 'refused', error: { code: NOT_SENT, class: 'transient', message } }
}
