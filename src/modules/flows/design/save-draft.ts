import type { Transaction } from 'kysely'
import type { Actor } from '../../accounts/actor.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { Context } from '../../../infra/context.ts'
import type { FlowDetail, SaveDraft, SaveDraftQuery } from '../../../contract/dashboard/flow.ts'
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { cleanText } from '../../../rules/text/json-text.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { loadDraft } from './load-draft.ts'
import { lockFlow, type OwnedFlow } from './lock-flow.ts'
import { showFlow } from './view-flow.ts'
import { readUuid } from '../../../rules/text/uuid.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'

/**
 * Locks the API connections of a draft's steps against deletion until the commit.
 * @throws invalid when the company has no such connection.
 */
async function lockConnections(
  tx: Transaction<DB>,
  companyId: string,
  draft: FlowDraft,
): Promise<void> {
  const calls = Object.entries(draft.steps).flatMap(([stepId, step]) => {
    const call = designOf(step).call?.(step)
    const connectionId = readUuid(call?.request.connectionId ?? '')
    return connectionId ? [{ stepId, connectionId }] : []
  })
  if (calls.length === 0) return
  const locked = await tx
    .selectFrom('apiConnection')
    .select('id')
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .where('id', 'in', [...new Set(calls.map(({ connectionId }) => connectionId))])
    .orderBy('id')
    .forShare()
    .execute()
  const known = new Set(locked.map(({ id }) => id))
  const unknown = calls.filter(({ connectionId }) => !known.has(connectionId))
  if (unknown.length === 0) return
  throw new ServiceError('invalid', fact('draft_connection_unknown'), {
    errors: unknown.map(({ stepId }) => ({
      field: `steps.${stepId}.request.connectionId`,
      ...fact('unknown_connection'),
    })),
  })
}

/**
 * Saves a flow's draft: edits the existing one in place, or starts a new version. A published version never changes.
 * @throws not_found; invalid; stale when the flow has changed since `seenAt`
 * Spec: Flows › Drafts and versions; reading F1.
 */
export async function saveDraft(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, flowId, draft, seenAt }: OwnedFlow & SaveDraftQuery & { draft: SaveDraft },
): Promise<FlowDetail> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const flow = await lockFlow(tx, { companyId, flowId })
    if (seenAt !== undefined && new Date(seenAt).getTime() !== flow.updatedAt.getTime()) {
      throw new ServiceError('stale', fact('flow_changed'))
    }
    await writeDraft(tx, { ids, now }, { companyId, flowId, draft })
    await tx
      .updateTable('flow')
      .set({ updatedAt: now })
      .where('id', '=', flowId)
      .where('companyId', '=', companyId)
      .execute()
    await audit('flow.draft_saved', { id: flowId, companyId })
    return showFlow(tx, actor, { companyId, flowId })
  })
}

/** Replaces the draft of a flow that the caller has locked or created. @throws invalid */
export async function writeDraft(
  tx: Transaction<DB>,
  { ids, now }: Pick<Context, 'ids'> & { now: Date },
  { companyId, flowId, draft }: OwnedFlow & { draft: SaveDraft },
): Promise<void> {
  await lockConnections(tx, companyId, draft)
  const columns = {
    definition: JSON.stringify(cleanStrings(draft)),
    triggerKind: draft.trigger.kind,
    channelId: await knownChannel(tx, companyId, draft.channelId),
  }
  const before = await loadDraft(tx, { companyId, flowId })
  if (before) {
    await tx
      .updateTable('flowVersion')
      .set(columns)
      .where('id', '=', before.id)
      .where('companyId', '=', companyId)
      .execute()
  } else {
    await tx
      .insertInto('flowVersion')
      .values({
        id: ids.uuid(),
        companyId,
        flowId,
        number: await nextNumber(tx, { companyId, flowId }),
        createdAt: now,
        ...columns,
      })
      .execute()
  }
}

/** Removes characters that JSON can encode but PostgreSQL and providers reject. */
function cleanStrings(draft: FlowDraft): FlowDraft {
  return JSON.parse(JSON.stringify(draft), (_, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  ) as FlowDraft
}

/**
 * Returns the channel's id, or null while none is chosen. A deleted channel may stay in a draft: publishing refuses
 * it.
 */
async function knownChannel(
  tx: Transaction<DB>,
  companyId: string,
  channelId: string,
): Promise<string | null> {
  if (channelId === '') return null
  const id = readUuid(channelId)
  const channel = id
    ? await tx
        .selectFrom('channel')
        .select('id')
        .where('id', '=', id)
        .where('companyId', '=', companyId)
        .executeTakeFirst()
    : undefined
  if (channel) return channel.id
  throw new ServiceError('invalid', fact('draft_channel_unknown'), {
    errors: [{ field: 'channelId', ...fact('unknown_channel') }],
  })
}

async function nextNumber(tx: Transaction<DB>, { companyId, flowId }: OwnedFlow): Promise<number> {
  const { last } = await tx
    .selectFrom('flowVersion')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('companyId', '=', companyId)
    .where('flowId', '=', flowId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}
