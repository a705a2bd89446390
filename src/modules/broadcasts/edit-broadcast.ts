import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import { type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  BroadcastView,
  CreateBroadcast,
  EditBroadcast,
} from '../../contract/dashboard/broadcast.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { BROADCAST_LIMITS } from '../../core/limits/broadcasts.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { lockBroadcast, requireBroadcast, type OwnedBroadcast } from './require-broadcast.ts'
import { showBroadcast } from './view-broadcast.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { formatFact: FormatFact }

/**
 * Creates a broadcast as a draft.
 * @throws limit_reached; invalid for a channel that is not the company's.
 */
export async function createBroadcast(
  { db, ids, clock, formatFact }: Deps,
  actor: Actor,
  { companyId, ...draft }: CreateBroadcast & { companyId: string },
): Promise<BroadcastView> {
  const id = ids.uuid()
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    await requireOpenQuota(tx, companyId)
    await requireChannel(tx, { companyId, channelId: draft.channelId })
    const { name, channelId, perSecond } = draft
    await tx
      .insertInto('broadcast')
      .values({
        id,
        companyId,
        name,
        channelId,
        perSecond,
        template: JSON.stringify(draft.template),
        audience: JSON.stringify(draft.audience),
        state: 'draft',
        createdBy: actor.personId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit('broadcast.created', { id, companyId }, { name })
  })
  return showBroadcast({ db, clock, formatFact }, { companyId, broadcastId: id })
}

/**
 * Changes the draft of a broadcast.
 * @throws not_found; conflict once it was started; invalid as for a new one.
 */
export async function editBroadcast(
  { db, ids, clock, formatFact }: Deps,
  actor: Actor,
  { companyId, broadcastId, ...change }: OwnedBroadcast & EditBroadcast,
): Promise<BroadcastView> {
  const owned = { companyId, broadcastId }
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockBroadcast(tx, owned, ['draft'])
    const { template, audience, ...plain } = change
    if (plain.channelId !== undefined) {
      await requireChannel(tx, { companyId, channelId: plain.channelId })
    }
    const row = await tx
      .updateTable('broadcast')
      .set({
        ...plain,
        ...(template && { template: JSON.stringify(template) }),
        ...(audience && { audience: JSON.stringify(audience) }),
        updatedAt: now,
      })
      .where('id', '=', broadcastId)
      .where('companyId', '=', companyId)
      .returning('name')
      .executeTakeFirstOrThrow()
    await audit('broadcast.edited', { id: broadcastId, companyId }, row)
  })
  return showBroadcast({ db, clock, formatFact }, owned)
}

/** Deletes a broadcast that is a draft. @throws not_found; conflict once it was started. */
export async function deleteBroadcast(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  actor: Actor,
  owned: OwnedBroadcast,
): Promise<void> {
  const { companyId, broadcastId } = owned
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const { name } = await lockBroadcast(tx, owned, ['draft'])
    await tx
      .deleteFrom('broadcast')
      .where('id', '=', broadcastId)
      .where('companyId', '=', companyId)
      .execute()
    await audit('broadcast.deleted', { id: broadcastId, companyId }, { name })
  })
}

/**
 * Creates a draft for the contacts that a broadcast failed to reach.
 * @throws not_found; conflict while the broadcast is running, or if no such contact is left. Spec: reading R10.
 */
export async function createDraftForFailed(
  deps: Deps,
  actor: Actor,
  owned: OwnedBroadcast,
): Promise<BroadcastView> {
  const { companyId, broadcastId } = owned
  const { kysely } = deps.db
  const { state, name, channelId, template, perSecond } = await requireBroadcast(kysely, owned)
  if (state !== 'done' && state !== 'cancelled') {
    throw new ServiceError('conflict', fact('broadcast_not_over'))
  }
  await kysely
    .selectFrom('message')
    .innerJoin('broadcastRecipient', 'broadcastRecipient.messageId', 'message.id')
    .select('message.id')
    .where('message.broadcastId', '=', broadcastId)
    .where('message.broadcastStatus', '=', 'failed')
    .where('message.dueAt', 'is', null)
    .where('message.companyId', '=', companyId)
    .where('broadcastRecipient.contactId', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow(() => new ServiceError('conflict', fact('broadcast_none_failed')))
  const audience = { kind: 'failed_of' as const, broadcastId }
  const draft = { companyId, name, channelId, template, perSecond, audience }
  return createBroadcast(deps, actor, draft)
}

async function requireOpenQuota(tx: Transaction<DB>, companyId: string): Promise<void> {
  const { open: max } = BROADCAST_LIMITS
  await requireBelowLimit(
    tx.selectFrom('broadcast').where('companyId', '=', companyId).where('endedAt', 'is', null),
    max,
    fact('too_many_broadcasts', { max }),
  )
}

async function requireChannel(
  tx: Transaction<DB>,
  { companyId, channelId }: { companyId: string; channelId: string },
): Promise<void> {
  const channel = await tx
    .selectFrom('channel')
    .select('id')
    .where('id', '=', channelId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (channel) return
  throw wrongField('channelId', fact('unknown_channel'))
}
