import type { Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { ServiceError } from '../service-error.ts'

/** A company of the account. @throws not_found for one of another account, as for none at all. */
export async function loadCompany(
  db: Kysely<DB>,
  { accountId }: { accountId: string },
  companyId: string,
) {
  const company = await db
    .selectFrom('company')
    .select(['id', 'name', 'isProject', 'createdAt'])
    .where('id', '=', companyId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  if (!company) throw new ServiceError('not_found', 'This account has no such company.')
  return company
}
