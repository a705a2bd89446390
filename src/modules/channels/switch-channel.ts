import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import { deleteStateValues, deleteChannelState } from './channel-state.ts'
import { beginPolling } from './poll-queue.sql.ts'
import type { ChannelDeps } from './connect-channel.ts'
import { accessTo, deregister } from './deregister.ts'
import { loadOwnedChannel, lockChannel } from './load-owned-channel.ts'
import { adapterOf } from './registry.ts'
import { requireCredentials } from './require-credentials.ts'
import { viewChannel } from './view-channel.ts'

type Owned = { companyId: string; channelId: string }

/** Returns the adapter of a company's channel. @throws not_found */
export async function adapterOfChannel(
  { db, adapters }: Pick<ChannelDeps, 'db' | 'adapters'>,
  owned: Owned,
): Promise<ChannelAdapter> {
  const row = await loadOwnedChannel(db.kysely, owned)
  return adapterOf(adapters, row.type)
}

/**
 * Disconnects a channel: hooks answer `channel_unavailable`, nothing is sent, and it is deregistered at the provider.
 * @throws not_found
 */
export async function disconnectChannel(
  context: ChannelDeps,
  actor: Actor,
  owned: Owned,
): Promise<ChannelView> {
  const before = await loadOwnedChannel(context.db.kysely, owned)
  const view = await setConnected(context, actor, owned, fact('channel_off_by_member'))
  if (before.isConnected) await deregister(context, before)
  return view
}

/** Reconnects a channel, once the provider accepts its credentials. @throws not_found, invalid, provider_failed */
export async function reconnectChannel(
  context: ChannelDeps,
  actor: Actor,
  owned: Owned,
): Promise<ChannelView> {
  const row = await loadOwnedChannel(context.db.kysely, owned)
  const adapter = adapterOf(context.adapters, row.type)
  await requireCredentials(adapter, accessTo(context, adapter, row))
  return setConnected(context, actor, owned, null)
}

async function setConnected(
  context: ChannelDeps,
  actor: Actor,
  owned: Owned,
  reason: Fact | null,
): Promise<ChannelView> {
  const { db, ids, clock } = context
  const isConnected = reason === null
  const disconnectedReason = reason && serializeFact(reason)
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const before = await lockChannel(tx, owned)
    if (before.isConnected === isConnected) return viewChannel(context, before)
    const row = await tx
      .updateTable('channel')
      .set({ isConnected, disconnectedReason, problem: null, updatedAt: now })
      .where('id', '=', owned.channelId)
      .where('companyId', '=', owned.companyId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const { poll, deregistration } = adapterOf(context.adapters, row.type)
    if (isConnected && poll) await beginPolling(tx, owned.channelId, now)
    if (isConnected && deregistration)
      await deleteStateValues(tx, owned.channelId, deregistration.deletesOnConnect)
    if (!isConnected && deregistration)
      await deleteChannelState(tx, owned.channelId, deregistration.keeps)
    await audit(isConnected ? 'channel.reconnected' : 'channel.disconnected', {
      id: owned.channelId,
      companyId: owned.companyId,
    })
    return viewChannel(context, row)
  })
}
