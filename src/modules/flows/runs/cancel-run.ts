import type { Actor } from '../../accounts/actor.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import type { Context } from '../../../infra/context.ts'
import { fact } from '../../../core/facts/fact.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { cancelRuns } from './cancel-runs.sql.ts'

/**
 * Cancels a run for a member: it ends without an event and sends nothing more. A run with a send or call in progress
 * first records the outcome. Idempotent until then.
 *
 * @throws not_found; conflict for a run that has ended. Spec: States › Run; reading F38.
 */
export async function cancelRun(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, runId }: { companyId: string; runId: string },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const run = await tx
      .selectFrom('flowRun')
      .select(['endedAt', 'flowId'])
      .where('id', '=', runId)
      .where('companyId', '=', companyId)
      .forUpdate()
      .executeTakeFirst()
    if (!run) throw new ServiceError('not_found', fact('no_such_run'))
    if (run.endedAt) throw new ServiceError('conflict', fact('run_has_ended'))
    const cancelled = await cancelRuns(
      tx,
      now,
      { runIds: [runId] },
      fact('run_cancelled_by_member'),
    )
    if (cancelled === 0) return
    await audit('run.cancelled', { id: runId, companyId }, { flowId: run.flowId })
  })
}
