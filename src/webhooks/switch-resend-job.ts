import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import type { Context } from '../context.ts'
import type { ResendJobDetail } from '../contract/dashboard/resend-job.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { ServiceError } from '../service-error.ts'
import type { ResendJobState } from '../vocabulary.ts'
import { requireLiveEndpoint } from './require-endpoint.ts'
import { showResendJob, type OwnedJob } from './view-resend-job.ts'

type Deps = Context & { wakeResends(): void }

/** Stops a job for now; what it has sent on its way goes on. @throws not_found; conflict once it is over */
export async function pauseResendJob(context: Context, actor: Actor, owned: OwnedJob) {
  return change(context, actor, owned, 'paused', (state) => state === 'running')
}

/**
 * Lets a paused job go on. @throws not_found; not_in_plan; conflict once it is over, or while the
 * endpoint is off.
 */
export async function resumeResendJob(
  { wakeResends, ...context }: Deps,
  actor: Actor,
  owned: OwnedJob,
): Promise<ResendJobDetail> {
  const job = await change(context, actor, owned, 'running', (state) => state === 'paused')
  wakeResends()
  return job
}

/** Ends a job; what it has sent on its way goes on. @throws not_found; conflict once it is over */
export async function cancelResendJob(context: Context, actor: Actor, owned: OwnedJob) {
  const isOpen = (state: ResendJobState) => state === 'running' || state === 'paused'
  return change(context, actor, owned, 'cancelled', isOpen)
}

const ACTIONS = {
  paused: 'resend_job.paused',
  running: 'resend_job.resumed',
  cancelled: 'resend_job.cancelled',
} as const

/** A job that is already as asked stays as it is. */
async function change(
  { db, clock, ids }: Context,
  actor: Actor,
  owned: OwnedJob,
  to: keyof typeof ACTIONS,
  isPossible: (from: ResendJobState) => boolean,
): Promise<ResendJobDetail> {
  const now = clock.now()
  await transaction(db, async (tx) => {
    const job = await lockJob(tx, owned)
    const from = job.state as ResendJobState
    if (from === to) return
    if (!isPossible(from)) throw new ServiceError('conflict', `The job is over: it is ${from}.`)
    if (to === 'running') {
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
    await recordAudit(
      tx,
      { ids, now },
      {
        actor,
        action: ACTIONS[to],
        subjectKind: 'resend_job',
        subjectId: owned.jobId,
        companyId: owned.companyId,
      },
    )
  })
  return showResendJob({ db, clock }, owned)
}

async function lockJob(tx: Transaction<DB>, { companyId, jobId }: OwnedJob) {
  const job = await tx
    .selectFrom('resendJob')
    .select(['state', 'endpointId'])
    .where('id', '=', jobId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  if (!job) throw new ServiceError('not_found', 'This company has no such job.')
  return job
}
