import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ChannelDeps } from './connect-channel.ts'
import { deleteWebhook, deregister } from './deregister.ts'
import { loadOwnedChannel, lockChannel } from './load-owned-channel.ts'

/** The maximum number of flows that a refusal names. */
const NAMED = 20

/**
 * Deletes a channel: wipes its credentials and templates, frees its number for another company, and deregisters it at
 * the provider. Its messages stay.
 * @throws not_found; conflict while published flows use it.
 */
export async function deleteChannel(
  context: ChannelDeps,
  actor: Actor,
  owned: { companyId: string; channelId: string },
): Promise<void> {
  const { db, ids, clock } = context
  const { companyId, channelId } = owned
  const before = await loadOwnedChannel(db.kysely, owned)
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const channel = await lockChannel(tx, owned)
    const { flows, more } = await publishedFlowsOn(tx, owned)
    if (flows.length > 0) {
      throw new ServiceError('conflict', fact('channel_in_use', { flows, more }))
    }
    await tx
      .updateTable('channel')
      .set({
        deletedAt: now,
        isConnected: false,
        disconnectedReason: serializeFact(fact('channel_deleted')),
        credentials: '',
        verifyTokenHash: null,
        templatesDueAt: null,
        problem: null,
        updatedAt: now,
      })
      .where('id', '=', channelId)
      .where('companyId', '=', companyId)
      .execute()
    await tx
      .deleteFrom('template')
      .where('channelId', '=', channelId)
      .where('companyId', '=', companyId)
      .execute()
    await tx
      .deleteFrom('channelState')
      .where('channelId', '=', channelId)
      .where('companyId', '=', companyId)
      .execute()
    await tx.deleteFrom('channelPoll').where('channelId', '=', channelId).execute()
    await audit(
      'channel.deleted',
      { id: channelId, companyId },
      { name: channel.name, type: channel.type, route: channel.providerRoute },
    )
  })
  if (before.isConnected) await deregister(context, before)
  await deleteWebhook(context, before)
}

/** Returns the names of published flows on a channel, up to a limit, and the number of the others. */
async function publishedFlowsOn(
  tx: Transaction<DB>,
  { companyId, channelId }: { companyId: string; channelId: string },
): Promise<{ flows: string[]; more: number }> {
  const rows = await tx
    .selectFrom('flow')
    .innerJoin('flowVersion', 'flowVersion.id', 'flow.publishedVersionId')
    .select(['flow.name', sql<number>`(count(*) over ())::int`.as('total')])
    .where('flow.companyId', '=', companyId)
    .where('flow.deletedAt', 'is', null)
    .where('flowVersion.channelId', '=', channelId)
    .orderBy('flow.id')
    .limit(NAMED)
    .execute()
  return { flows: rows.map(({ name }) => name), more: (rows[0]?.total ?? 0) - rows.length }
}
