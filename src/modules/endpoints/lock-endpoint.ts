import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { endpointNotFound, type OwnedEndpoint } from './view-endpoint.ts'

/**
 * Locks an endpoint that is not deleted until the transaction ends: its health first, then its settings. The worker
 * that switches endpoints off locks in the same order. @throws not_found
 */
export async function lockEndpoint(tx: Transaction<DB>, { companyId, endpointId }: OwnedEndpoint) {
  await tx
    .selectFrom('endpointHealth')
    .select('endpointId')
    .where('endpointId', '=', endpointId)
    .where('companyId', '=', companyId)
    .forNoKeyUpdate()
    .execute()
  return tx
    .selectFrom('endpoint')
    .selectAll()
    .where('id', '=', endpointId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => endpointNotFound())
}
