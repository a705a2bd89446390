import type { Actor } from '../../accounts/actor.ts'
import { loadPlan } from '../../accounts/load-plan.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { Context } from '../../../infra/context.ts'
import type { CreateFlow, FlowDetail } from '../../../contract/dashboard/flow.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { writeDraft } from './save-draft.ts'
import { showFlow } from './view-flow.ts'

/** Creates a flow, with or without a draft. @throws not_in_plan, invalid. Spec: Concepts › Plans. */
export async function createFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, name, draft }: CreateFlow & { companyId: string },
): Promise<FlowDetail> {
  const flowId = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const plan = await loadPlan(tx, actor.accountId)
    if (!PLAN_LIMITS[plan].automations) {
      throw new ServiceError('not_in_plan', fact('automations_not_in_plan', { plan }))
    }
    await tx
      .insertInto('flow')
      .values({ id: flowId, companyId, name, createdAt: now, updatedAt: now })
      .execute()
    await audit('flow.created', { id: flowId, companyId }, { name })
    if (draft) await writeDraft(tx, { ids, now }, { companyId, flowId, draft })
    return showFlow(tx, actor, { companyId, flowId })
  })
}
