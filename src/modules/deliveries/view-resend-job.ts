import { sql, type Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { JobFilter } from '../../contract/dashboard/delivery.ts'
import { toPage, type Page } from '../../contract/dashboard/page.ts'
import type {
  ResendJobDetail,
  ResendJobQuery,
  ResendJobView,
} from '../../contract/dashboard/resend-job.ts'
import { readInIndexOrder } from '../../infra/database/prefer-index-order.ts'
import type { DB } from '../../infra/database/tables.ts'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type {
  ResendJobKind,
  ResendJobReason,
  ResendJobState,
} from '../../core/vocabulary/deliveries.ts'
import { countMatches } from './match-job.sql.ts'

/** The id of a resend job with the id of its company. */
export type OwnedJob = { companyId: string; jobId: string }

/** Returns a page of the company's resend jobs, newest first. */
export async function listResendJobs(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  { companyId, endpointId, limit, cursor }: ResendJobQuery & { companyId: string },
): Promise<Page<ResendJobView>> {
  let query = selectJobs(db.kysely, companyId)
    .orderBy('resendJob.id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('resendJob.id', '<', cursor)
  if (endpointId !== undefined) query = query.where('resendJob.endpointId', '=', endpointId)
  return toPage(await query.execute(), limit, (row) => viewJob(formatFact, row))
}

/** Loads a resend job with its progress. @throws not_found */
export async function showResendJob(
  { db, clock, formatFact }: Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact },
  { companyId, jobId }: OwnedJob,
): Promise<ResendJobDetail> {
  const row = await selectJobs(db.kysely, companyId)
    .where('resendJob.id', '=', jobId)
    .executeTakeFirst()
  if (!row) throw new ServiceError('not_found', fact('no_such_job'))
  const isOver = row.state === 'done' || row.state === 'cancelled'
  const [progress, left] = await Promise.all([
    countProgress(db.kysely, { companyId, jobId }),
    isOver
      ? { count: 0, isAtLeast: false }
      : countMatches(db.kysely, {
          companyId,
          endpointId: row.endpointId,
          kind: row.kind as ResendJobKind,
          filter: parseJobFilter(row.filter),
          position: row.position,
          beforeId: row.beforeId,
          now: clock.now(),
        }),
  ])
  return { ...viewJob(formatFact, row), ...progress, left }
}

/** Counts the job's deliveries by outcome, up to a limit. */
async function countProgress(db: Kysely<DB>, { companyId, jobId }: OwnedJob) {
  const { rows } = await readInIndexOrder(db, (tx) =>
    sql<{ delivered: number; failed: number; inFlight: number; all: number }>`
      select count(*) filter (where state in ('delivered', 'superseded'))::int as delivered,
        count(*) filter (where state in ('dead_lettered', 'cancelled', 'expired'))::int as failed,
        count(*) filter (where state in ('pending', 'held'))::int as in_flight,
        count(*)::int as "all"
      from (
        select state from webhook_delivery where job_id = ${jobId} and company_id = ${companyId}
        limit ${RESEND_JOB.maxProgressCounted}
      ) of_job
    `.execute(tx),
  )
  const { delivered, failed, inFlight, all } = rows[0]!
  const isAtLeast = all >= RESEND_JOB.maxProgressCounted
  return {
    delivered: { count: delivered, isAtLeast },
    failed: { count: failed, isAtLeast },
    underWay: { count: inFlight, isAtLeast },
  }
}

/** Parses the filter stored in a job's row. */
export function parseJobFilter(text: string): JobFilter {
  return JobFilter.parse(JSON.parse(text))
}

function selectJobs(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('resendJob')
    .innerJoin('endpoint', 'endpoint.id', 'resendJob.endpointId')
    .selectAll('resendJob')
    .select('endpoint.name as endpointName')
    .where('resendJob.companyId', '=', companyId)
}

type JobRow = Awaited<ReturnType<ReturnType<typeof selectJobs>['executeTakeFirstOrThrow']>>

function viewJob(formatFact: FormatFact, row: JobRow): ResendJobView {
  const reason = row.reason as ResendJobReason | null
  return {
    id: row.id,
    endpoint: { id: row.endpointId, name: row.endpointName },
    kind: row.kind as ResendJobKind,
    filter: parseJobFilter(row.filter),
    pace: row.pace,
    state: row.state as ResendJobState,
    reason: reason && { code: reason, message: formatFact(fact(`job_${reason}`)) },
    matched: { count: row.matched, isAtLeast: row.isMatchedLeast },
    made: row.made,
    passedOver: row.passedOver,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
