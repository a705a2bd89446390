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

/**
 * Returns a channel with its decrypted credentials, as its adapter receives it.
 * @throws SecretUnreadable
 */
export function accessTo(
  { keyRing }: Pick<Deps, 'keyRing'>,
  adapter: ChannelAdapter,
  row: ChannelRow,
): ChannelAccess {
  const { isSimulated } = row
  return { ...identityOf(row), isSimulated, credentials: readCredentials(keyRing, adapter, row) }
}

/**
 * Deregisters a channel at its provider after the commit, which undoes what connecting made there. A failure is only
 * logged, as the channel no longer exists here.
 *
 * @param row the channel before the change
 */
export async function deregister(deps: Deps, row: ChannelRow): Promise<void> {
  const adapter = adapterOf(deps.adapters, row.type)
  const { deregistration } = adapter
  if (deregistration)
    await runAndLog(deps, row.id, () => deregistration.deregister(accessTo(deps, adapter, row)))
}

/**
 * Deregisters a channel whose new link turned out to be another channel's number, for which it was disconnected:
 * otherwise every reconnection would link it again. Returns whether it was such a channel.
 */
export async function deregisterDuplicate(
  { db, log, adapters }: Pick<Context, 'db' | 'log'> & { adapters: ChannelAdapters },
  channel: OpenedChannel,
): Promise<boolean> {
  const { deregistration } = adapterOf(adapters, channel.type)
  if (!deregistration) return false
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
  if (isTaken) await runAndLog({ log }, channel.id, () => deregistration.deregister(channel))
  return isTaken
}

/** Deletes the webhook of a deleted channel with a separate address. */
export async function deleteWebhook(
  { publicUrl, ids, ...deps }: Deps & Pick<Context, 'ids'> & { publicUrl(): string },
  row: ChannelRow,
): Promise<void> {
  const adapter = adapterOf(deps.adapters, row.type)
  const url = webhookUrlOf(publicUrl(), ids.cell, adapter, row.id)
  if (url === null || !adapter.deleteWebhook) return
  await runAndLog(deps, row.id, () => adapter.deleteWebhook!(accessTo(deps, adapter, row), url))
}

async function runAndLog(
  { log }: Pick<Deps, 'log'>,
  channelId: string,
  what: () => Promise<void>,
): Promise<void> {
  try {
    await what()
  } catch (error) {
    const why = error instanceof ProviderRefused ? { code: error.error.code } : { err: error }
    log.warn({ ...why, channelId }, 'deregistration at the provider failed')
  }
}
