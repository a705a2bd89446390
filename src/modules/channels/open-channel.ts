import { isDeepStrictEqual } from 'node:util'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { isDatabaseUnavailable } from '../../infra/database/is-database-unavailable.ts'
import { retryWhileUnavailable } from '../../infra/database/retry-while-unavailable.ts'
import { SecretUnreadable } from '../../infra/secrets/key-ring.ts'
import type { FileToSend, Outbound, SendResult } from './channel-adapter.ts'
import type { CustomerRef } from './inbound.ts'
import type { ChannelCache } from './channel-cache.ts'
import type { OpenedChannel } from './load-channel.ts'
import type { ChannelAdapters } from './registry.ts'

/** A function that sends a message on an opened channel. It never throws: an uncertain result is `unknown`. */
export type SendMessage = (
  to: CustomerRef,
  message: Outbound,
  ourReference: string,
) => Promise<SendResult>

/**
 * Creates the function that opens a channel before its message is marked as `sending`: slow work comes first, so that
 * a crash leaves few messages with an unknown outcome. It throws only while the database is unavailable; any other
 * failure before the request is a temporary refusal of the message. When the provider refuses cached credentials, the
 * channel is read again and the send retried if they have changed.
 */
export function createChannelOpener({
  known,
  adapters,
  fileToSend,
}: {
  known: ChannelCache
  adapters: ChannelAdapters
  fileToSend(channel: OpenedChannel, fileId: string): Promise<FileToSend | null>
}) {
  return async function openChannel(channelId: string): Promise<SendMessage> {
    try {
      const channel = await known.byId(channelId)
      return (to, message, ourReference) => send(channel, to, message, ourReference)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      return () => Promise.resolve(notOpened(error))
    }

    async function send(
      channel: OpenedChannel | undefined,
      ...what: Parameters<SendMessage>
    ): Promise<SendResult> {
      try {
        const result = await sendBy(channel, ...what)
        if (result.outcome !== 'refused' || result.error.class !== 'auth') return result
        const now = await retryWhileUnavailable(() => known.reload(channelId))
        return isDeepStrictEqual(now, channel) ? result : await sendBy(now, ...what)
      } catch (error) {
        return notOpened(error)
      }
    }
  }

  async function sendBy(
    channel: OpenedChannel | undefined,
    ...[to, message, ourReference]: Parameters<SendMessage>
  ): Promise<SendResult> {
    const adapter = channel && adapters[channel.type]
    if (!adapter) return notSent(fact('not_sent_channel_gone'))
    if (message.kind !== 'media')
      return adapter.send(channel, to, message, { ourReference, file: null })
    const file = await fileToSend(channel, message.fileId)
    if (!file) return gone(fact('file_gone'))
    return adapter.send(channel, to, message, { ourReference, file })
  }
}

function notOpened(error: unknown): SendResult {
  return notSent(
    error instanceof SecretUnreadable
      ? fact('not_sent_credentials_unreadable')
      : fact('not_sent_fault', { fault: (error as Error).message }),
  )
}

function gone(why: Fact): SendResult {
  return { outcome: 'refused', error: { code: 'file_gone', class: 'content', message: '', why } }
}

function notSent(why: Fact): SendResult {
  return { outcome: 'refused', error: { code: 'not_sent', class: 'transient', message: '', why } }
}
