import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { COMPANY_COLUMNS } from './view-company.ts'
import { ServiceError } from '../../core/service-error.ts'

/** Returns those of the ids that are companies of the account. */
export async function companiesAmong(
  db: Kysely<DB>,
  { accountId }: { accountId: string },
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const companies = await db
    .selectFrom('company')
    .select('id')
    .where('id', 'in', ids)
    .where('accountId', '=', accountId)
    .execute()
  return companies.map(({ id }) => id)
}

/**
 * Returns a company of the account.
 * @throws not_found, also for a company of another account. Spec: Concepts › Company.
 */
export async function loadCompany(
  db: Kysely<DB>,
  { accountId }: { accountId: string },
  companyId: string,
) {
  return db
    .selectFrom('company')
    .select(COMPANY_COLUMNS)
    .where('id', '=', companyId)
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_company')))
}
