import type { Actor } from '../accounts/actor.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { lockFlow, type OwnedFlow } from './lock-flow.ts'

/**
 * Deletes a flow and its hook URL, which answers 404 from then on. Runs stay: those under way go on
 * with the version that they began on, ended ones stay in the log. @throws not_found
 */
export async function deleteFlow(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedFlow,
): Promise<void> {
  const { companyId, flowId } = owned
  const now = clock.now()
  await transaction(db, async (tx) => {
    const flow = await lockFlow(tx, owned)
    await tx
      .updateTable('flow')
      .set({ deletedAt: now, isOn: false, updatedAt: now })
      .where('id', '=', flowId)
      .where('companyId', '=', companyId)
      .execute()
    await tx
      .deleteFrom('hookUrl')
      .where('flowId', '=', flowId)
      .where('companyId', '=', companyId)
      .execute()
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'flow.deleted',
        subjectKind: 'flow',
        subjectId: flowId,
        companyId,
        detail: { name: flow.name },
      },
    )
  })
}
