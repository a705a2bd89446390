import { pageOf } from '../../infra/database/page-of.ts'
import type { Selectable } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { CloseFilter, CloseJobView } from '../../contract/dashboard/conversation.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { CloseJob } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

type OwnedJob = { companyId: string; jobId: string }

/** Returns a page of the jobs that resolve many conversations, newest first. */
export async function listCloseJobs(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<CloseJobView>> {
  const rows = await pageOf(
    db.kysely.selectFrom('closeJob').selectAll().where('companyId', '=', companyId),
    { limit, cursor },
    ['id', 'newest'],
  ).execute()
  return toPage(rows, limit, viewCloseJob)
}

/**
 * Returns a job that resolves many conversations.
 * @throws not_found
 */
export async function showCloseJob(
  { db }: Pick<Context, 'db'>,
  { companyId, jobId }: OwnedJob,
): Promise<CloseJobView> {
  const row = await db.kysely
    .selectFrom('closeJob')
    .selectAll()
    .where('id', '=', jobId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_close_job')))
  return viewCloseJob(row)
}

/**
 * Cancels a running job that resolves many conversations, and returns it. The conversations that it has
 * resolved stay so.
 * @throws not_found; conflict for a job that has ended
 */
export async function cancelCloseJob(
  context: Pick<Context, 'db' | 'clock'>,
  { companyId, jobId }: OwnedJob,
): Promise<CloseJobView> {
  const row = await context.db.kysely
    .updateTable('closeJob')
    .set({ state: 'cancelled', dueAt: null, endedAt: context.clock.now() })
    .where('id', '=', jobId)
    .where('companyId', '=', companyId)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  if (row) return viewCloseJob(row)
  const { state } = await showCloseJob(context, { companyId, jobId })
  throw new ServiceError('conflict', fact('close_job_over', { state }))
}

/** Converts a job that resolves many conversations to its view. */
export function viewCloseJob(row: Selectable<CloseJob>): CloseJobView {
  return {
    id: row.id,
    state: row.state as CloseJobView['state'],
    filter: row.filter as CloseFilter,
    lookedAt: row.lookedAt,
    closed: row.closed,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
