import type { Transaction } from 'kysely'
import type { FlowDefinition } from '../src/contract/flow-definition.ts'
import { storeTriggers } from '../src/modules/flows/design/store-triggers.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { tokenHash } from '../src/infra/secrets/token-hash.ts'

/** A flow of the demonstration; its ids are fixed, so that a later start finds it. */
type FlowRows = {
  companyId: string
  flowId: string
  versionId: string
  name: string
}

/** A flow of the demonstration that a hook starts. */
export type HookedFlowRows = FlowRows & { hookUrlId: string }

/** Writes a flow with one version, which is published. */
export async function writeFlow(
  tx: Transaction<DB>,
  now: Date,
  { companyId, flowId, versionId, name }: FlowRows,
  definition: FlowDefinition,
): Promise<void> {
  await tx
    .insertInto('flow')
    .values({
      id: flowId,
      companyId,
      name,
      firstPublishedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await tx
    .insertInto('flowVersion')
    .values({
      id: versionId,
      companyId,
      flowId,
      number: 1,
      definition: JSON.stringify(definition),
      triggerKind: definition.trigger.kind,
      channelId: definition.channelId,
      publishedAt: now,
      createdAt: now,
    })
    .execute()
  await tx
    .updateTable('flow')
    .set({ publishedVersionId: versionId })
    .where('id', '=', flowId)
    .execute()
  await storeTriggers(tx, { companyId, flowId }, { id: versionId, definition })
}

/** Gives a flow its hook URL, or replaces the URL that has another token. */
export async function writeHookUrl(
  tx: Transaction<DB>,
  now: Date,
  { companyId, flowId, hookUrlId }: HookedFlowRows,
  token: string,
): Promise<void> {
  const columns = { tokenHash: tokenHash(token), tokenLastFour: token.slice(-4) }
  await tx
    .insertInto('hookUrl')
    .values({ id: hookUrlId, companyId, flowId, createdAt: now, ...columns })
    .onConflict((conflict) =>
      conflict.column('flowId').doUpdateSet({ ...columns, replacedAt: now }),
    )
    .execute()
}
