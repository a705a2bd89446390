import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'

/**
 * Locks a company of the account until the transaction ends, and reads its plan. Members who check a limit of the
 * company before adding to it thereby wait for each other. Rows that only refer to the company, such as new runs, do
 * not wait.
 * @throws not_found
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
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_company')))
  return { plan: company.plan as Plan }
}
