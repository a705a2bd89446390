import type { Actor } from '../accounts/actor.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { ChannelCheck, ChannelView } from '../contract/dashboard/channel.ts'
import { transaction } from '../database/transaction.ts'
import type { ChannelDeps } from './connect-channel.ts'
import {
  loadOwnedChannel,
  lockChannel,
  readCredentials,
  type ChannelRow,
} from './load-owned-channel.ts'
import { connectionOf } from './provider-connection.ts'
import { explainProviderError, requireCredentials } from './require-credentials.ts'
import { viewChannel } from './view-channel.ts'

type Owned = { companyId: string; channelId: string }

/** Takes a channel out of use: hooks answer `channel_unavailable`, nothing is sent. @throws not_found */
export async function disconnectChannel(
  context: ChannelDeps,
  actor: Actor,
  owned: Owned,
): Promise<ChannelView> {
  return setConnected(context, actor, owned, 'disconnected by a member')
}

/**
 * Takes a channel into use again, once the provider accepts its credentials.
 * @throws not_found, invalid, provider_failed
 */
export async function reconnectChannel(
  context: ChannelDeps,
  actor: Actor,
  owned: Owned,
): Promise<ChannelView> {
  const row = await loadOwnedChannel(context.db.kysely, owned)
  await requireCredentials(context.providers.whatsApp, connection(context, row))
  return setConnected(context, actor, owned, null)
}

/** Asks the provider whether the channel's credentials work now; changes nothing. @throws not_found */
export async function checkChannel(context: ChannelDeps, owned: Owned): Promise<ChannelCheck> {
  const row = await loadOwnedChannel(context.db.kysely, owned)
  const check = await context.providers.whatsApp.check(connection(context, row))
  if (check.ok) return check
  return { ok: false, reason: check.error.class, message: explainProviderError(check.error) }
}

function connection({ keyRing, providers }: ChannelDeps, row: ChannelRow) {
  return connectionOf(providers, {
    isSimulated: row.isSimulated,
    route: row.providerRoute,
    providerAccount: row.providerAccount,
    credentials: readCredentials(keyRing, row),
  })
}

async function setConnected(
  context: ChannelDeps,
  actor: Actor,
  owned: Owned,
  disconnectedReason: string | null,
): Promise<ChannelView> {
  const { db, ids, clock } = context
  const now = clock.now()
  const isConnected = disconnectedReason === null
  return transaction(db, async (tx) => {
    const before = await lockChannel(tx, owned)
    if (before.isConnected === isConnected) return viewChannel(context, before)
    const row = await tx
      .updateTable('channel')
      .set({ isConnected, disconnectedReason, updatedAt: now })
      .where('id', '=', owned.channelId)
      .where('companyId', '=', owned.companyId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: isConnected ? 'channel.reconnected' : 'channel.disconnected',
        subjectKind: 'channel',
        subjectId: owned.channelId,
        companyId: owned.companyId,
      },
    )
    return viewChannel(context, row)
  })
}
