import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ResendJobDetail } from '../../contract/dashboard/resend-job.ts'
import type { DB } from '../../infra/database/tables.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ResendJobState } from '../../core/vocabulary/deliveries.ts'
import { requireLiveEndpoint } from '../endpoints/require-endpoint.ts'
import { showResendJob, type OwnedJob } from './view-resend-job.ts'

/** Pauses a job; deliveries that it has created continue. @throws not_found; conflict once it has ended */
export async function pauseResendJob(
  context: Context & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedJob,
) {
  return change(context, actor, owned, 'paused', (state) => state === 'running')
}

/** Resumes a paused job. @throws not_found; not_in_plan; conflict once it has ended, or while the endpoint is off. */
export async function resumeResendJob(
  context: Context & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedJob,
) {
  return change(context, actor, owned, 'running', (state) => state === 'paused')
}

/** Cancels a job; deliveries that it has created continue. @throws not_found; conflict once it has ended */
export async function cancelResendJob(
  context: Context & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedJob,
) {
  const isOpen = (state: ResendJobState) => state === 'running' || state === 'paused'
  return change(context, actor, owned, 'cancelled', isOpen)
}

const ACTIONS = {
  paused: 'resend_job.paused',
  running: 'resend_job.resumed',
  cancelled: 'resend_job.cancelled',
} as const

/** Changes the state of a job, unless it has that state already. Spec: States › Job of resends. */
async function change(
  { db, clock, ids, formatFact }: Context & { formatFact: FormatFact },
  actor: Actor,
  owned: OwnedJob,
  to: keyof typeof ACTIONS,
  isPossible: (from: ResendJobState) => boolean,
): Promise<ResendJobDetail> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const job = await lockJob(tx, owned)
    const from = job.state as ResendJobState
    if (from === to) return
    if (!isPossible(from)) throw new ServiceError('conflict', fact('job_over', { state: from }))
    if (to === 'running') {
      notifyAfterCommit(tx, 'resends')
      await requireLiveEndpoint(tx, { companyId: owned.companyId, endpointId: job.endpointId })
    }
    await tx
      .updateTable('resendJob')
      .set({
        state: to,
        reason: to === 'running' ? null : 'by_member',
        dueAt: to === 'running' ? now : null,
        endedAt: to === 'cancelled' ? now : null,
        updatedAt: now,
      })
      .where('id', '=', owned.jobId)
      .where('companyId', '=', owned.companyId)
      .execute()
    await audit(ACTIONS[to], { kind: 'resend_job', id: owned.jobId, companyId: owned.companyId })
  })
  return showResendJob({ db, clock, formatFact }, owned)
}

async function lockJob(tx: Transaction<DB>, { companyId, jobId }: OwnedJob) {
  const job = await tx
    .selectFrom('resendJob')
    .select(['state', 'endpointId'])
    .where('id', '=', jobId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  if (!job) throw new ServiceError('not_found', fact('no_such_job'))
  return job
}
