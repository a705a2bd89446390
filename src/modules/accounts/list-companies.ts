import { pageOf } from '../../infra/database/page-of.ts'
import type { Context } from '../../infra/context.ts'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { Actor } from './actor.ts'
import { COMPANY_COLUMNS, viewCompany } from './view-company.ts'

/** Returns the account's first company and its projects, oldest first. */
export async function listCompanies(
  { db }: Context,
  actor: Actor,
  { limit, cursor }: PageQuery,
): Promise<Page<CompanyView>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('company')
      .select(COMPANY_COLUMNS)
      .where('accountId', '=', actor.accountId),
    { limit, cursor },
    ['id', 'oldest'],
  ).execute()
  return toPage(rows, limit, viewCompany)
}
