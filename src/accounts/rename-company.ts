import type { Context } from '../context.ts'
import type { CompanyView, RenameCompany } from '../contract/dashboard/company.ts'
import { transaction } from '../database/transaction.ts'
import type { Actor } from './actor.ts'
import { loadCompany } from './load-company.ts'
import { recordAudit } from './record-audit.ts'
import { viewCompany } from './view-company.ts'

/** Renames a company of the account; the name it has already changes nothing. @throws not_found */
export async function renameCompany(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, name }: RenameCompany & { companyId: string },
): Promise<CompanyView> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const company = await loadCompany(tx, actor, companyId)
    if (company.name === name) return viewCompany(company)
    await tx
      .updateTable('company')
      .set({ name })
      .where('id', '=', companyId)
      .where('accountId', '=', actor.accountId)
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'company.renamed',
        subjectKind: 'company',
        subjectId: companyId,
        companyId,
        detail: { from: company.name, to: name },
      },
    )
    return viewCompany({ ...company, name })
  })
}
