import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { wrongField } from '../../core/service-error.ts'

/** Locks a resource against deletion until the transaction ends. @throws invalid when it is unknown */
export async function requireResource(
  tx: Transaction<DB>,
  { companyId, resourceId }: { companyId: string; resourceId: string },
): Promise<void> {
  await tx
    .selectFrom('resource')
    .select('id')
    .where('id', '=', resourceId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => wrongField('resourceId', fact('unknown_resource')))
}
