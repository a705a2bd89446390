import type { Context } from '../context.ts'
import type { CompanyView, CreateProject } from '../contract/dashboard/company.ts'
import { transaction } from '../database/transaction.ts'
import type { Actor } from './actor.ts'
import { recordAudit } from './record-audit.ts'
import { viewCompany } from './view-company.ts'

/** Makes a project: a company of the actor's account beside its own. Spec: Concepts › Project. */
export async function createProject(
  { db, ids, clock }: Context,
  actor: Actor,
  { name }: CreateProject,
): Promise<CompanyView> {
  const now = clock.now()
  const company = { id: ids.uuid(), name, isProject: true, createdAt: now }
  await transaction(db, async (tx) => {
    await tx
      .insertInto('company')
      .values({ ...company, accountId: actor.accountId })
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'project.created',
        subjectKind: 'company',
        subjectId: company.id,
        companyId: company.id,
        detail: { name },
      },
    )
  })
  return viewCompany(company)
}
