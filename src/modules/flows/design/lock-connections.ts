import type { Transaction } from 'kysely'
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'
import { readUuid } from '../../../rules/text/uuid.ts'

/**
 * Locks the API connections of a draft's steps against deletion until the commit.
 * @throws invalid when the company has no such connection.
 */
export async function lockConnections(
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
