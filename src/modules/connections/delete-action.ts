import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { OwnedAction } from './view-action.ts'

/** Deletes an action of the assistant, on any plan; its proposals are never executed. @throws not_found */
export async function deleteAction(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, actionId }: OwnedAction,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await lockCompany(tx, actor, companyId)
    const deleted = await tx
      .deleteFrom('aiAction')
      .where('id', '=', actionId)
      .where('companyId', '=', companyId)
      .returning('toolName')
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_action')))
    await audit('ai_action.deleted', { id: actionId, companyId }, { toolName: deleted.toolName })
  })
}
