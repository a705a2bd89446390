import type { Transaction } from 'kysely'
import type { Context } from '../context.ts'
import { goInIndexOrder } from '../database/in-index-order.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { RESEND_JOB } from '../limits.ts'
import type { ResendJobKind, ResendJobReason } from '../vocabulary.ts'
import { releaseHeldDeliveries } from './release-held.sql.ts'
import { loadEndpointAndPlan, whyNotSent } from './require-endpoint.ts'
import { stepResends, type Step } from './step-resend-job.sql.ts'
import { readFilter } from './view-resend-job.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'log'>

/**
 * Takes the jobs of resends that are due one step on, each in a transaction of its own: as many
 * deliveries as its pace allows in a second. A job whose endpoint went off, or whose plan was left,
 * pauses and says so. Returns how many jobs were stepped, and how many deliveries are due by it.
 *
 * Isolation: a job's row is locked with `skip locked`, so that nodes share the jobs and never both
 * step one. A process that is killed leaves the step undone, as if it had not begun.
 * Spec: Deliveries › Tests and resends; reading D12.
 */
export async function stepResendJobs({
  db,
  clock,
  log,
}: Deps): Promise<{ steps: number; made: number }> {
  const due = await db.kysely
    .selectFrom('resendJob')
    .select('id')
    .where('dueAt', '<=', clock.now())
    .orderBy('dueAt')
    .limit(RESEND_JOB.jobsAtOnce)
    .execute()
  let [steps, made] = [0, 0]
  for (const { id } of due) {
    try {
      const step = await transaction(db, (tx) => stepJob(tx, id, clock.now()))
      if (step) {
        steps += 1
        made += step.made
      }
    } catch (error) {
      log.error({ err: error, jobId: id }, 'a step of a job of resends failed, will try again')
      await db.kysely
        .updateTable('resendJob')
        .set({ dueAt: new Date(clock.now().getTime() + RESEND_JOB.afterFaultMs) })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute()
    }
  }
  return { steps, made }
}

/** When the next step of any job is due; null when none runs. */
export async function nextResendStep({ db }: Pick<Context, 'db'>): Promise<Date | null> {
  const next = await db.kysely
    .selectFrom('resendJob')
    .select('dueAt')
    .where('dueAt', 'is not', null)
    .orderBy('dueAt')
    .limit(1)
    .executeTakeFirst()
  return next?.dueAt ?? null
}

async function stepJob(
  tx: Transaction<DB>,
  jobId: string,
  now: Date,
): Promise<{ made: number } | null> {
  const job = await tx
    .selectFrom('resendJob')
    .selectAll()
    .where('id', '=', jobId)
    .where('dueAt', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!job) return null
  await goInIndexOrder(tx)
  const endpoint = await loadEndpointAndPlan(tx, job)
  const reason = endpoint ? whyNotSent(endpoint) : 'endpoint_deleted'
  const step = reason === null ? await takeStep(tx, job, now) : NO_STEP
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
  return { made: step.made }
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
