import type { Selectable, Transaction } from 'kysely'
import type { DB, Flow as FlowTable } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'

/** The id of a flow with the id of its company. */
export type OwnedFlow = { companyId: string; flowId: string }

/**
 * Locks a flow of the company until the transaction ends, so that changes of members are serialised, and returns it.
 * @throws not_found
 */
export async function lockFlow(
  tx: Transaction<DB>,
  { companyId, flowId }: OwnedFlow,
): Promise<Selectable<FlowTable>> {
  return tx
    .selectFrom('flow')
    .selectAll()
    .where('id', '=', flowId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_flow')))
}
