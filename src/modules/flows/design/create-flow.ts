import type { Transaction } from 'kysely'
import type { Actor } from '../../accounts/actor.ts'
import { lockCompany } from '../../accounts/lock-company.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { Context } from '../../../infra/context.ts'
import type { CreateFlow, FlowDetail } from '../../../contract/dashboard/flow.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { writeDraft } from './save-draft.ts'
import { showFlow } from './view-flow.ts'

/** Creates a flow, with or without a draft. @throws not_in_plan, limit_reached, invalid. Spec: Concepts › Plans. */
export async function createFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, name, draft }: CreateFlow & { companyId: string },
): Promise<FlowDetail> {
  const flowId = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    if (!PLAN_LIMITS[plan].automations) {
      throw new ServiceError('not_in_plan', fact('automations_not_in_plan', { plan }))
    }
    await requireFlowsLeft(tx, companyId)
    await tx
      .insertInto('flow')
      .values({ id: flowId, companyId, name, createdAt: now, updatedAt: now })
      .execute()
    await audit('flow.created', { id: flowId, companyId }, { name })
    if (draft) await writeDraft(tx, { ids, now }, { companyId, flowId, draft })
    return showFlow(tx, actor, { companyId, flowId })
  })
}

/** Throws unless the company may have one more flow. The caller has locked the company. */
async function requireFlowsLeft(tx: Transaction<DB>, companyId: string): Promise<void> {
  const { flows } = await tx
    .selectFrom('flow')
    .select((eb) => eb.fn.countAll<string>().as('flows'))
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const { perCompany: max } = FLOW_LIMITS
  if (Number(flows) >= max) throw new ServiceError('limit_reached', fact('too_many_flows', { max }))
}
