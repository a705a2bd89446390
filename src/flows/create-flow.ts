import type { Actor } from '../accounts/actor.ts'
import { loadPlan } from '../accounts/load-plan.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Context } from '../context.ts'
import type { CreateFlow, FlowDetail } from '../contract/dashboard/flow.ts'
import { transaction } from '../database/transaction.ts'
import { PLAN_LIMITS } from '../limits.ts'
import { ServiceError } from '../service-error.ts'
import { showFlow } from './view-flow.ts'

/** Makes a flow without any version yet. @throws not_in_plan. Spec: Concepts › Plans. */
export async function createFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, name }: CreateFlow & { companyId: string },
): Promise<FlowDetail> {
  const now = clock.now()
  const flowId = ids.uuid()
  return transaction(db, async (tx) => {
    const plan = await loadPlan(tx, actor.accountId)
    if (!PLAN_LIMITS[plan].automations) {
      throw new ServiceError('not_in_plan', `Automations are not part of the ${plan} plan.`)
    }
    await tx
      .insertInto('flow')
      .values({ id: flowId, companyId, name, createdAt: now, updatedAt: now })
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'flow.created',
        subjectKind: 'flow',
        subjectId: flowId,
        companyId,
        detail: { name },
      },
    )
    return showFlow(tx, actor, { companyId, flowId })
  })
}
