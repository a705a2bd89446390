import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import type { OwnedAction } from './view-action.ts'

/** Deletes an action; what was proposed by it is never called. On every plan. @throws not_found */
export async function deleteAction(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, actionId }: OwnedAction,
): Promise<void> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    await lockCompany(tx, actor, companyId)
    const deleted = await tx
      .deleteFrom('aiAction')
      .where('id', '=', actionId)
      .where('companyId', '=', companyId)
      .returning('toolName')
      .executeTakeFirst()
    if (!deleted) throw new ServiceError('not_found', 'This company has no such action.')
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: 'ai_action.deleted',
        subjectKind: 'ai_action',
        subjectId: actionId,
        companyId,
        detail: { toolName: deleted.toolName },
      },
    )
  })
}
