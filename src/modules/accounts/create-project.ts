import type { Context } from '../../infra/context.ts'
import type { CompanyView, CreateProject } from '../../contract/dashboard/company.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
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
  await auditedTransaction({ db, ids, now }, actor, async (tx, audit) => {
    await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', actor.accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { made } = await tx
      .selectFrom('company')
      .select((select) => select.fn.countAll<number>().as('made'))
      .where('accountId', '=', actor.accountId)
      .where('isProject', '=', true)
      .executeTakeFirstOrThrow()
    const max = settings.projectsPerAccount
    if (made >= max) throw new ServiceError('limit_reached', fact('projects_used_up', { max }))
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
