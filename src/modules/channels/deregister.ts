import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { ProviderRefused, type ChannelAdapter } from './channel-adapter.ts'
import type { ChannelAccess } from './channel-access.ts'
import { deleteChannelState } from './channel-state.ts'
import type { OpenedChannel } from './load-channel.ts'
import { readCredentials, type ChannelRow } from './load-owned-channel.ts'
import { adapterOf, type ChannelAdapters } from './registry.ts'
import { identityOf } from './view-channel.ts'
import { webhookUrlOf } from './webhook-path.ts'

type Deps = Pick<Context, 'log'> & { keyRing: KeyRing; adapters: ChannelAdapters }

/** A channel of the company's, as its adapter is given it. @throws SecretUnreadable */
export function accessTo(
  { keyRing }: Pick<Deps, 'keyRing'>,
  adapter: ChannelAdapter,
  row: ChannelRow,
): ChannelAccess {
  const { isSimulated } = row
  return { ...identityOf(row), isSimulated, credentials: readCredentials(keyRing, adapter, row) }
}

/**
 * Tells the provider that a channel is given up, once that is committed: what connecting made there is undone.
 * Where the provider is not reached it is only logged, for the channel is gone here all the same.
 *
 * @param row as it was before
 */
export async function deregister(deps: Deps, row: ChannelRow): Promise<void> {
  const adapter = adapterOf(deps.adapters, row.type)
  const { leaving } = adapter
  if (leaving) await tell(deps, row.id, () => leaving.tell(accessTo(deps, adapter, row)))
}

/**
 * Gives up what a channel was just linked to where that turned out to be another channel's, for which it was taken out
 * of use: it would be linked to it again each time that it is connected. True where it was so.
 */
export async function deregisterDuplicate(
  { db, log, adapters }: Pick<Context, 'db' | 'log'> & { adapters: ChannelAdapters },
  channel: OpenedChannel,
): Promise<boolean> {
  const { leaving } = adapterOf(adapters, channel.type)
  if (!leaving) return false
  const isTaken = await transaction(db, async (tx) => {
    const row = await tx
      .selectFrom('channel')
      .select('disconnectedReason')
      .where('id', '=', channel.id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const why = row?.disconnectedReason
    if (!why || parseFact(why).code !== 'qr_number_taken') return false
    await deleteChannelState(tx, channel.id, [])
    return true
  })
  if (isTaken) await tell({ log }, channel.id, () => leaving.tell(channel))
  return isTaken
}

/** The same of a channel that is deleted, where the provider was told to post to its own address. */
export async function deleteWebhook(
  { publicUrl, ...deps }: Deps & { publicUrl(): string },
  row: ChannelRow,
): Promise<void> {
  const adapter = adapterOf(deps.adapters, row.type)
  const url = webhookUrlOf(publicUrl(), adapter, row.id)
  if (url === null || !adapter.deleteWebhook) return
  await tell(deps, row.id, () => adapter.deleteWebhook!(accessTo(deps, adapter, row), url))
}

async function tell(
  { log }: Pick<Deps, 'log'>,
  channelId: string,
  what: () => Promise<void>,
): Promise<void> {
  try {
    await what()
  } catch (error) {
    const why = error instanceof ProviderRefused ? { code: error.error.code } : { err: error }
    log.warn({ ...why, channelId }, 'a provider could not be told that a channel is left')
  }
}
