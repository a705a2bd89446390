import type { Selectable, Transaction } from 'kysely'
import type { DB, Flow as FlowTable } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'

/** A flow by its id and the company that owns it. */
export type OwnedFlow = { companyId: string; flowId: string }

/**
 * Locks a flow of the company until the transaction ends, so that changes of members are serialised. @throws
 * not_found
 */
export async function lockFlow(
  tx: Transaction<DB>,
  { companyId, flowId }: OwnedFlow,
): Promise<Selectable<FlowTable>> {
  const flow = await tx
    .selectFrom('flow')
    .selectAll()
    .where('id', '=', flowId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!flow) throw new ServiceError('not_found', fact('no_such_flow'))
  return flow
}
