import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Context } from '../context.ts'
import type { EditFlow, FlowDetail } from '../contract/dashboard/flow.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { PLAN_LIMITS } from '../limits.ts'
import { ServiceError } from '../service-error.ts'
import type { Plan } from '../vocabulary.ts'
import { loadFlowsOn } from './load-running-flows.ts'
import { lockFlow, type OwnedFlow } from './lock-flow.ts'
import { showFlow } from './view-flow.ts'

/**
 * Renames a flow, switches it on or off. Runs that are under way go on. Switching on asks whether
 * the plan has automations and a flow left; switching off never does.
 *
 * @throws not_found, not_in_plan, limit_reached. Spec: Concepts › Plans.
 */
export async function editFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, flowId, name, isOn }: EditFlow & OwnedFlow,
): Promise<FlowDetail> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    const flow = await lockFlow(tx, { companyId, flowId })
    const audit = (action: string, detail?: Record<string, unknown>) =>
      recordAudit(
        tx,
        { ids, now },
        {
          actor,
          action,
          subjectKind: 'flow',
          subjectId: flowId,
          companyId,
          ...(detail ? { detail } : {}),
        },
      )
    if (name !== undefined && name !== flow.name) {
      await change(tx, { companyId, flowId }, { name, updatedAt: now })
      await audit('flow.renamed', { from: flow.name, to: name })
    }
    if (isOn !== undefined && isOn !== flow.isOn) {
      if (isOn && flow.publishedVersionId) await requireFlowLeft(tx, { companyId, flowId }, plan)
      await change(tx, { companyId, flowId }, { isOn, updatedAt: now })
      await audit(isOn ? 'flow.switched_on' : 'flow.switched_off')
    }
    return showFlow(tx, actor, { companyId, flowId })
  })
}

/** Whether one more flow may be published and on. The company is locked by the caller. */
async function requireFlowLeft(
  tx: Transaction<DB>,
  { companyId, flowId }: OwnedFlow,
  plan: Plan,
): Promise<void> {
  const { automations, flows } = PLAN_LIMITS[plan]
  if (!automations) {
    throw new ServiceError('not_in_plan', `Automations are not part of the ${plan} plan.`)
  }
  const others = (await loadFlowsOn(tx, companyId)).filter((flow) => flow.id !== flowId)
  if (others.length >= flows) {
    throw new ServiceError(
      'limit_reached',
      `The ${plan} plan has ${flows} flows that are published and switched on. Switch another one off first.`,
    )
  }
}

async function change(
  tx: Transaction<DB>,
  { companyId, flowId }: OwnedFlow,
  columns: { name?: string; isOn?: boolean; updatedAt: Date },
): Promise<void> {
  await tx
    .updateTable('flow')
    .set(columns)
    .where('id', '=', flowId)
    .where('companyId', '=', companyId)
    .execute()
}
