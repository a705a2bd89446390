import type { Context } from '../context.ts'
import type { CompanyView, CreateProject } from '../contract/dashboard/company.ts'
import type { Actor } from './actor.ts'
import { memberChange } from './member-change.ts'
import { viewCompany } from './view-company.ts'

/** Makes a project: a company of the actor's account beside its own. Spec: Concepts › Project. */
export async function createProject(
  { db, ids, clock }: Context,
  actor: Actor,
  { name }: CreateProject,
): Promise<CompanyView> {
  const now = clock.now()
  const company = { id: ids.uuid(), name, isProject: true, createdAt: now }
  await memberChange({ db, ids, now }, actor, async (tx, audit) => {
    await tx
      .insertInto('company')
      .values({ ...company, accountId: actor.accountId })
      .execute()
    await audit(
      'project.created',
      { kind: 'company', id: company.id, companyId: company.id },
      { name },
    )
  })
  return viewCompany({ ...company, timeZone: 'UTC', openingHours: null })
}
