import type { Transaction } from 'kysely'
import type { Context } from '../context.ts'
import { noteWork } from '../database/commit-notes.ts'
import { goInIndexOrder } from '../database/in-index-order.ts'
import { nextJobStep, stepDueJobs } from '../database/step-jobs.ts'
import type { DB } from '../database/tables.ts'
import { RESEND_JOB } from '../limits/deliveries.ts'
import type { ResendJobKind, ResendJobReason } from '../vocabulary/deliveries.ts'
import { releaseHeldDeliveries } from './release-held.sql.ts'
import { loadEndpointAndPlan, whyNotSent } from '../endpoints/require-endpoint.ts'
import { stepResends, type Step } from './step-resend-job.sql.ts'
import { readFilter } from './view-resend-job.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'log'>

/**
 * Takes the jobs of resends that are due one step on, each in a transaction of its own: as many
 * deliveries as its pace allows in a second. A job whose endpoint went off, or whose plan was left,
 * pauses and says so. Returns how many jobs were stepped.
 *
 * Isolation: a job's row is locked with `skip locked`, so that nodes share the jobs and never both
 * step one. A process that is killed leaves the step undone, as if it had not begun.
 * Spec: Deliveries › Tests and resends; reading D12.
 */
export function stepResendJobs(context: Deps): Promise<number> {
  return stepDueJobs(context, 'resend_job', RESEND_JOB, stepJob)
}

/** When the next step of any job is due; null when none runs. */
export function nextResendStep({ db }: Pick<Context, 'db'>): Promise<Date | null> {
  return nextJobStep(db.kysely, 'resend_job')
}

/** False when the job is no longer due, or another node steps it. */
async function stepJob(tx: Transaction<DB>, jobId: string, now: Date): Promise<boolean> {
  const job = await tx
    .selectFrom('resendJob')
    .selectAll()
    .where('id', '=', jobId)
    .where('dueAt', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!job) return false
  await goInIndexOrder(tx)
  const endpoint = await loadEndpointAndPlan(tx, job)
  const reason = endpoint ? whyNotSent(endpoint) : 'endpoint_deleted'
  const step = reason === null ? await takeStep(tx, job, now) : NO_STEP
  if (step.made > 0) noteWork(tx, 'deliveries')
  await tx
    .updateTable('resendJob')
    .set({
      ...nextState(reason, step, now),
      made: job.made + step.made,
      passedOver: job.passedOver + step.passedOver,
      position: step.position ?? job.position,
      updatedAt: now,
    })
    .where('id', '=', jobId)
    .where('companyId', '=', job.companyId)
    .execute()
  return true
}

const NO_STEP: Step = { made: 0, passedOver: 0, position: null }

type JobRow = {
  id: string
  companyId: string
  endpointId: string
  kind: string
  filter: string
  pace: number
  position: string
  beforeId: string
}

async function takeStep(tx: Transaction<DB>, job: JobRow, now: Date): Promise<Step> {
  if (job.kind === 'held') {
    const made = await releaseHeldDeliveries(tx, { ...job, jobId: job.id, now, most: job.pace })
    return { made, passedOver: 0, position: made < job.pace ? null : job.position }
  }
  return stepResends(tx, {
    ...job,
    jobId: job.id,
    kind: job.kind as ResendJobKind,
    filter: readFilter(job.filter),
    now,
    most: job.pace,
  })
}

function nextState(reason: ResendJobReason | null, step: Step, now: Date) {
  if (reason === 'endpoint_deleted') {
    return { state: 'cancelled', reason, dueAt: null, endedAt: now }
  }
  if (reason !== null) return { state: 'paused', reason, dueAt: null }
  if (step.position === null) return { state: 'done', dueAt: null, endedAt: now }
  // A step that only looked goes on at once.
  return { dueAt: new Date(now.getTime() + (step.made > 0 ? RESEND_JOB.stepMs : 0)) }
}
