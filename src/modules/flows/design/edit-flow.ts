import type { Transaction } from 'kysely'
import type { Actor } from '../../accounts/actor.ts'
import { lockCompany } from '../../accounts/lock-company.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { Context } from '../../../infra/context.ts'
import type { EditFlow, FlowDetail } from '../../../contract/dashboard/flow.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'
import { loadActiveFlows } from './load-running-flows.ts'
import { lockFlow, type OwnedFlow } from './lock-flow.ts'
import { loadOtherTriggers, loadTriggers } from './store-triggers.ts'
import { showFlow } from './view-flow.ts'

/**
 * Renames a flow, or switches it on or off; active runs continue. A published flow can be switched on only if the plan has
 * automations and allows one more active flow. Switching off is always possible.
 *
 * @throws not_found, not_in_plan, limit_reached. Spec: Concepts › Plans.
 */
export async function editFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, flowId, name, isOn }: EditFlow & OwnedFlow,
): Promise<FlowDetail> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    const flow = await lockFlow(tx, { companyId, flowId })
    const subject = { id: flowId, companyId }
    if (name !== undefined && name !== flow.name) {
      await change(tx, { companyId, flowId }, { name, updatedAt: now })
      await audit('flow.renamed', subject, { from: flow.name, to: name })
    }
    if (isOn !== undefined && isOn !== flow.isOn) {
      if (isOn && flow.publishedVersionId) {
        await requireFlowLeft(tx, { companyId, flowId }, plan)
        await requireTriggerFree(tx, { companyId, flowId })
      }
      await change(tx, { companyId, flowId }, { isOn, updatedAt: now })
      await audit(isOn ? 'flow.switched_on' : 'flow.switched_off', subject)
    }
    return showFlow(tx, actor, { companyId, flowId })
  })
}

/** Throws unless the plan allows one more active flow. The caller has locked the company. */
async function requireFlowLeft(
  tx: Transaction<DB>,
  { companyId, flowId }: OwnedFlow,
  plan: Plan,
): Promise<void> {
  const { automations, flows } = PLAN_LIMITS[plan]
  if (!automations) {
    throw new ServiceError('not_in_plan', fact('automations_not_in_plan', { plan }))
  }
  const others = (await loadActiveFlows(tx, companyId)).filter((flow) => flow.id !== flowId)
  if (others.length >= flows) {
    throw new ServiceError('limit_reached', fact('flows_used_up', { plan, flows }))
  }
}

/** Throws when another flow of the channel has an exclusive trigger of this one. The caller has locked the company. */
async function requireTriggerFree(tx: Transaction<DB>, { flowId }: OwnedFlow): Promise<void> {
  const own = await loadTriggers(tx, flowId)
  const channelId = own[0]?.channelId
  if (!channelId) return
  const others = await loadOtherTriggers(tx, { flowId, channelId })
  for (const { kind, key, phrase } of own) {
    if (!TRIGGERS[kind].byMessage?.isExclusive) continue
    const other = others.find(
      (one) => one.kind === kind && one.key === key && one.phrase === phrase,
    )
    if (!other) continue
    throw new ServiceError(
      'conflict',
      fact('trigger_first_message_taken', { flow: other.flowName }),
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
