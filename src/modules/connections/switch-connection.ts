import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ConnectionView } from '../../contract/dashboard/connection.ts'
import { requireConnectionsInPlan } from './create-connection.ts'
import { lockConnection, viewConnection, type OwnedConnection } from './view-connection.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/**
 * Switches a connection on, if the plan has connections, or off, on any plan. While it is off, steps take their Failed
 * path, its actions are not offered, and its proposals are withdrawn. Does nothing if unchanged.
 * @throws not_found, not_in_plan
 * Spec: Calls › Connections; Concepts › Plans.
 */
export async function switchConnection(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, connectionId, isOn }: OwnedConnection & { isOn: boolean },
): Promise<ConnectionView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { plan } = await lockCompany(tx, actor, companyId)
    if (isOn) requireConnectionsInPlan(plan)
    const before = await lockConnection(tx, { companyId, connectionId })
    if (before.isOn === isOn) return viewConnection(before)
    const row = await tx
      .updateTable('apiConnection')
      .set({ isOn, updatedAt: now })
      .where('id', '=', connectionId)
      .where('companyId', '=', companyId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await withdrawProposals(tx, { companyId, connectionId }, 'connection_changed', now)
    await audit(isOn ? 'connection.switched_on' : 'connection.switched_off', {
      id: connectionId,
      companyId,
    })
    return viewConnection(row)
  })
}
