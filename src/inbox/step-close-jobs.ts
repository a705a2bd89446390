import { sql, type Transaction } from 'kysely'
import type { Context } from '../context.ts'
import type { CloseFilter } from '../contract/dashboard/conversation.ts'
import { nextJobStep, stepDueJobs } from '../database/step-jobs.ts'
import type { DB } from '../database/tables.ts'
import type { Ids } from '../ids.ts'
import { CLOSE_JOB } from '../limits/inbox.ts'
import { resolveInBulk } from './close-conversations.ts'
import { filteredBy, inTab } from './conversations-found.sql.ts'

/**
 * Takes the jobs of bulk closes that are due one page on, each in a transaction of its own, which keeps
 * its place: who is killed leaves the page undone, and none is closed twice. Returns how many jobs were
 * stepped.
 *
 * Isolation: a job's row is locked with `skip locked`, so that nodes share the jobs and never both step
 * one. Its conversations are locked in the order of their ids as they are found: one in which the customer
 * writes meanwhile is looked at again, and left alone.
 * Spec: Inbox › Closing many.
 */
export function stepCloseJobs(
  context: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
): Promise<number> {
  const { ids } = context
  return stepDueJobs(context, 'close_job', CLOSE_JOB, (tx, id, now) =>
    stepJob(tx, { ids, now }, id),
  )
}

/** When the next page of any job is due; null when none runs. */
export function nextCloseStep({ db }: Pick<Context, 'db'>): Promise<Date | null> {
  return nextJobStep(db.kysely, 'close_job')
}

/** False when the job is no longer due, or another node steps it. */
async function stepJob(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  jobId: string,
): Promise<boolean> {
  const job = await tx
    .selectFrom('closeJob')
    .selectAll()
    .where('id', '=', jobId)
    .where('dueAt', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!job) return false
  const { tab, ...filter } = job.filter as CloseFilter
  const conditions = [
    sql`conversation.company_id = ${job.companyId}`,
    sql`conversation.id > ${job.position}`,
    sql`coalesce(conversation.last_message_at, conversation.created_at) <= ${job.before}`,
    inTab(tab, null, now),
    ...filteredBy(filter),
  ]
  const { rows } = await sql<{ id: string }>`
    select conversation.id from conversation where ${sql.join(conditions, sql` and `)}
    order by conversation.id limit ${CLOSE_JOB.page} for update of conversation`.execute(tx)
  const found = rows.map(({ id }) => id)
  const by = { kind: 'member', personId: job.startedBy } as const
  const closed = await resolveInBulk(tx, { ids, now }, by, job.companyId, found)
  const isDone = found.length < CLOSE_JOB.page
  await tx
    .updateTable('closeJob')
    .set({
      position: found.at(-1) ?? job.position,
      lookedAt: job.lookedAt + found.length,
      closed: job.closed + closed,
      ...(isDone
        ? { state: 'done', dueAt: null, endedAt: now }
        : { dueAt: new Date(now.getTime() + CLOSE_JOB.everyMs) }),
    })
    .where('id', '=', jobId)
    .execute()
  return true
}
