import type { Kysely } from 'kysely'
import { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { OwnedFlow } from './lock-flow.ts'

/** Loads the draft of a flow, the one version that was never published; returns undefined if all versions were. */
export async function loadDraft(db: Kysely<DB>, { companyId, flowId }: OwnedFlow) {
  const row = await db
    .selectFrom('flowVersion')
    .select(['id', 'number', 'definition'])
    .where('companyId', '=', companyId)
    .where('flowId', '=', flowId)
    .where('publishedAt', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return { ...row, definition: FlowDraft.parse(JSON.parse(row.definition)) }
}
