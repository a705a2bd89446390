import type { Kysely, Transaction } from 'kysely'
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { TriggerKind } from '../../../core/vocabulary/flows.ts'
import type { TriggerEntry, TriggerContext } from '../../../flow-kinds/triggers/trigger-design.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'
import type { OwnedFlow } from './lock-flow.ts'

/**
 * Replaces the stored triggers of a flow, by which messages find it, by those of the version that is being published.
 * Whether the flow is on is checked when a message is matched.
 */
export async function storeTriggers(
  tx: Transaction<DB>,
  { companyId, flowId }: OwnedFlow,
  { id: flowVersionId, definition }: { id: string; definition: FlowDraft },
): Promise<void> {
  const { trigger, channelId } = definition
  await tx.deleteFrom('flowTrigger').where('flowId', '=', flowId).execute()
  const entries = TRIGGERS[trigger.kind].byMessage?.entriesOf(trigger) ?? []
  if (entries.length === 0) return
  const at = { companyId, flowId, flowVersionId, channelId, kind: trigger.kind }
  await tx
    .insertInto('flowTrigger')
    .values(entries.map((entry) => ({ ...entry, ...at })))
    .execute()
}

/** Loads the triggers of a flow's published version. */
export async function loadTriggers(
  db: Kysely<DB>,
  flowId: string,
): Promise<(TriggerEntry & { kind: TriggerKind; channelId: string })[]> {
  const rows = await db
    .selectFrom('flowTrigger')
    .select(['kind', 'channelId', 'key', 'phrase', 'isExact', 'interrupts'])
    .where('flowId', '=', flowId)
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as TriggerKind }))
}

/** Loads the triggers of a channel's active flows except this one, those of the first published flow first. */
export async function loadOtherTriggers(
  db: Kysely<DB>,
  { flowId, channelId }: { flowId: string; channelId: string },
): Promise<TriggerContext['others']> {
  return db
    .selectFrom('flowTrigger')
    .innerJoin('flow', 'flow.publishedVersionId', 'flowTrigger.flowVersionId')
    .select(['flowTrigger.kind', 'flowTrigger.key', 'flowTrigger.phrase', 'flow.name as flowName'])
    .where('flowTrigger.channelId', '=', channelId)
    .where('flow.id', '!=', flowId)
    .where('flow.isOn', '=', true)
    .where('flow.deletedAt', 'is', null)
    .orderBy('flow.firstPublishedAt')
    .execute()
}
