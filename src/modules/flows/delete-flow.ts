import type { Actor } from '../accounts/actor.ts'
import { setReminderFlow } from '../appointments/plan-reminders.sql.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import { endRunsOfFlow } from './runs/end-runs-of-deleted.sql.ts'
import { lockFlow, type OwnedFlow } from './design/lock-flow.ts'

/**
 * Deletes a flow with its hook URL, which answers 404 from then on. Its open runs are cancelled without events: up to 500
 * idle ones now, the others by a worker soon after. A run with a send or call in progress first records the outcome, and
 * a run with an unanswered customer leaves them to staff. Ended runs stay in the log.
 * @throws not_found
 * Spec: States › Run; reading F7.
 */
export async function deleteFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedFlow,
): Promise<void> {
  const { companyId, flowId } = owned
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const flow = await lockFlow(tx, owned)
    const { isOpen } = await endRunsOfFlow(tx, flowId, now)
    await tx
      .updateTable('flow')
      .set({ deletedAt: now, isOn: false, hasRunsToEnd: isOpen, updatedAt: now })
      .where('id', '=', flowId)
      .where('companyId', '=', companyId)
      .execute()
    await setReminderFlow(tx, now, { ...owned, minutesBefore: null })
    await tx.deleteFrom('flowTrigger').where('flowId', '=', flowId).execute()
    await tx
      .deleteFrom('hookUrl')
      .where('flowId', '=', flowId)
      .where('companyId', '=', companyId)
      .execute()
    await audit('flow.deleted', { id: flowId, companyId }, { name: flow.name })
  })
}
