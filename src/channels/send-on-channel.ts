import type { Kysely } from 'kysely'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { DB } from '../database/tables.ts'
import type { CustomerRef, Outbound, SendResult } from './channel-adapter.ts'
import { loadChannels } from './load-channel.ts'
import { connectionOf, type Providers } from './provider-connection.ts'

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
      const [channel] = await loadChannels(deps.db, deps.keyRing, { ids: [channelId] })
      if (!channel) return notSent('the channel is gone')
      connection = connectionOf(deps, channel)
    } catch (error) {
      return notSent((error as Error).message)
    }
    return deps.whatsApp.send(connection, to, message, { ourReference })
  }
}

function notSent(message: string): SendResult {
  return { outcome: 'refused', error: { code: 'not_sent', class: 'transient', message } }
}
