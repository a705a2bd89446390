import { requireBelowLimit } from './require-below-limit.ts'
import type { Context } from '../../infra/context.ts'
import type { CompanyView, CreateProject } from '../../contract/dashboard/company.ts'
import { fact } from '../../core/facts/fact.ts'
import type { Actor } from './actor.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { viewCompany } from './view-company.ts'

/**
 * Creates a project: an additional company of the actor's account. The account is locked first, so that concurrent
 * projects count too.
 * @throws limit_reached. Spec: Concepts › Project.
 */
export async function createProject(
  { db, ids, clock, settings }: Context & { settings: { projectsPerAccount: number } },
  actor: Actor,
  { name }: CreateProject,
): Promise<CompanyView> {
  const now = clock.now()
  const company = { id: ids.uuid(), name, isProject: true, createdAt: now }
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', actor.accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const max = settings.projectsPerAccount
    await requireBelowLimit(
      tx
        .selectFrom('company')
        .where('accountId', '=', actor.accountId)
        .where('isProject', '=', true),
      max,
      fact('projects_used_up', { max }),
    )
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
