import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  CreateResendJob,
  JobCount,
  PreviewResendJob,
  ResendJobDetail,
} from '../../contract/dashboard/resend-job.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { oldestIdAt } from '../../core/ids.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { countMatches, type JobRange } from './match-job.sql.ts'
import { requireLiveEndpoint } from '../endpoints/require-endpoint.ts'
import { consumeRateLimit } from '../accounts/consume-rate-limit.sql.ts'
import { showResendJob } from './view-resend-job.ts'

/**
 * Returns how many deliveries a resend job would send, counted up to a limit. Creates and sends nothing.
 * @throws not_found; not_in_plan; conflict when the endpoint is off or deleted.
 */
export async function previewResendJob(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, ...job }: PreviewResendJob & { companyId: string },
): Promise<JobCount> {
  await requireLiveEndpoint(db.kysely, { companyId, endpointId: job.endpointId })
  return countMatches(db.kysely, rangeOf(companyId, job, clock.now()))
}

/**
 * Creates a job that resends matching deliveries, or sends held ones, at a limited rate. An endpoint has at most one
 * unfinished job. Creating one counts against the account's ten tests and resends a minute.
 *
 * @throws not_found; not_in_plan; conflict when the endpoint is off, deleted or has a job already; rate_limited.
 * Spec: Deliveries › Tests and resends; reading D12.
 */
export async function createResendJob(
  context: Context & { formatFact: FormatFact },
  actor: Actor,
  { companyId, ...job }: CreateResendJob & { companyId: string },
): Promise<ResendJobDetail> {
  const { db, ids, clock } = context
  const now = clock.now()
  const jobId = ids.uuid()
  const range = rangeOf(companyId, job, now)
  const matched = await countMatches(db.kysely, range)
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    notifyAfterCommit(tx, 'resends')
    await requireLiveEndpoint(tx, { companyId, endpointId: job.endpointId })
    await consumeRateLimit(tx, { accountId: actor.accountId, what: 'tests_and_resends', now })
    await tx
      .insertInto('resendJob')
      .values({
        id: jobId,
        companyId,
        endpointId: job.endpointId,
        kind: job.kind,
        filter: JSON.stringify(range.filter),
        pace: job.pace,
        state: 'running',
        beforeId: range.beforeId,
        position: range.position,
        matched: matched.count,
        isMatchedLeast: matched.isAtLeast,
        dueAt: now,
        createdBy: actor.personId,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await audit(
      'resend_job.created',
      { id: jobId, companyId },
      { kind: job.kind, endpointId: job.endpointId, filter: range.filter },
    )
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'resend_job_unfinished')) throw oneAtATime()
    throw error
  })
  return showResendJob(context, { companyId, jobId })
}

function rangeOf(companyId: string, job: PreviewResendJob, now: Date): JobRange {
  return {
    companyId,
    endpointId: job.endpointId,
    kind: job.kind,
    filter: job.kind === 'resend' ? job.filter : {},
    position: FIRST,
    // Includes deliveries created within the current millisecond.
    beforeId: oldestIdAt(new Date(now.getTime() + 1)),
    now,
  }
}

const FIRST = '00000000-0000-0000-0000-000000000000'

function oneAtATime(): ServiceError {
  return new ServiceError('conflict', fact('job_under_way'))
}
