import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'

/**
 * Locks a company of the account until the transaction ends, and reads its plan: two members who
 * count what the company has, to add one more, take turns. What only refers to the company, such as
 * a new run, does not wait for it. @throws not_found
 */
export async function lockCompany(
  tx: Transaction<DB>,
  { accountId }: { accountId: string },
  companyId: string,
): Promise<{ plan: Plan }> {
  const company = await tx
    .selectFrom('company')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select('account.plan')
    .where('company.id', '=', companyId)
    .where('company.accountId', '=', accountId)
    .forNoKeyUpdate('company')
    .executeTakeFirst()
  if (!company) throw new ServiceError('not_found', fact('no_such_company'))
  return { plan: company.plan as Plan }
}
