import type { Selectable, Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { preferIndexOrder } from '../../infra/database/prefer-index-order.ts'
import type { PagedJob } from '../../infra/database/queues/pages.ts'
import type { DB, ResendJob } from '../../infra/database/tables.ts'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import type { ResendJobKind, ResendJobReason } from '../../core/vocabulary/deliveries.ts'
import { releaseHeldDeliveries } from './release-held.sql.ts'
import { loadEndpointAndPlan, whyNoResend } from '../endpoints/require-endpoint.ts'
import { processResendPage, type ResendPage } from './step-resend-job.sql.ts'
import { parseJobFilter } from './view-resend-job.ts'

/**
 * The paged job of resends: a page has as many deliveries as the job's rate allows in a second. A job pauses with a
 * reason when its endpoint is off or its plan has no webhooks.
 * Spec: Deliveries › Tests and resends; reading D12.
 */
export const RESEND_JOBS: PagedJob<'resendJob'> = {
  ...RESEND_JOB,
  table: 'resendJob',
  step: processJob,
}

async function processJob(tx: Transaction<DB>, { now }: { now: Date }, job: Selectable<ResendJob>) {
  await preferIndexOrder(tx)
  const endpoint = await loadEndpointAndPlan(tx, job)
  const reason = endpoint ? whyNoResend(endpoint) : 'endpoint_deleted'
  const page = reason === null ? await processPage(tx, job, now) : EMPTY_PAGE
  if (page.made > 0) notifyAfterCommit(tx, 'deliveries')
  return {
    ...nextState(reason, page, now),
    made: job.made + page.made,
    passedOver: job.passedOver + page.passedOver,
    position: page.position ?? job.position,
    updatedAt: now,
  }
}

const EMPTY_PAGE: ResendPage = { made: 0, passedOver: 0, position: null }

async function processPage(
  tx: Transaction<DB>,
  job: Selectable<ResendJob>,
  now: Date,
): Promise<ResendPage> {
  if (job.kind === 'held') {
    const made = await releaseHeldDeliveries(tx, { ...job, jobId: job.id, now, limit: job.pace })
    return { made, passedOver: 0, position: made < job.pace ? null : job.position }
  }
  return processResendPage(tx, {
    ...job,
    jobId: job.id,
    kind: job.kind as ResendJobKind,
    filter: parseJobFilter(job.filter),
    now,
    limit: job.pace,
  })
}

function nextState(reason: ResendJobReason | null, page: ResendPage, now: Date) {
  if (reason === 'endpoint_deleted') {
    return { state: 'cancelled', reason, dueAt: null, endedAt: now }
  }
  if (reason !== null) return { state: 'paused', reason, dueAt: null }
  if (page.position === null) return { state: 'done', dueAt: null, endedAt: now }
  // A page that made nothing is followed by the next one immediately.
  return { dueAt: new Date(now.getTime() + (page.made > 0 ? RESEND_JOB.stepMs : 0)) }
}
