import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { OwnedHookUrl } from './view-hook-url.ts'

/**
 * Locks a hook URL of the company until the transaction ends.
 * @throws not_found
 */
export async function lockHookUrl(
  tx: Transaction<DB>,
  { companyId, hookUrlId }: OwnedHookUrl,
): Promise<void> {
  await tx
    .selectFrom('hookUrl')
    .select('id')
    .where('id', '=', hookUrlId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_hook_url')))
}
