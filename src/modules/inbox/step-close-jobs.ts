import { sql, type Selectable, type Transaction } from 'kysely'
import type { CloseFilter } from '../../contract/dashboard/conversation.ts'
import type { PagedJob } from '../../infra/database/queues/pages.ts'
import type { CloseJob, DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { CLOSE_JOB } from '../../core/limits/inbox.ts'
import { resolveInBulk } from './close-conversations.ts'
import { inboxFilterConditions, tabCondition } from './conversations-found.sql.ts'

/**
 * The jobs that resolve many conversations by a filter, page by page; no conversation is resolved twice.
 *
 * Isolation: the conversations of a page are locked in the order of their ids as they are found. One in which the
 * customer writes meanwhile is checked again, and stays open.
 *
 * Spec: Inbox › Closing many.
 */
export const CLOSE_JOBS: PagedJob<'closeJob', { ids: Ids }> = {
  ...CLOSE_JOB,
  table: 'closeJob',
  step: stepJob,
}

async function stepJob(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  job: Selectable<CloseJob>,
) {
  const { tab, ...filter } = job.filter as CloseFilter
  const conditions = [
    sql`conversation.company_id = ${job.companyId}`,
    sql`conversation.id > ${job.position}`,
    sql`coalesce(conversation.last_message_at, conversation.created_at) <= ${job.before}`,
    tabCondition(tab, null, now),
    ...inboxFilterConditions(filter),
  ]
  const { rows } = await sql<{ id: string }>`
    select conversation.id from conversation where ${sql.join(conditions, sql` and `)}
    order by conversation.id limit ${CLOSE_JOB.page} for update of conversation`.execute(tx)
  const found = rows.map(({ id }) => id)
  const by = { kind: 'member', personId: job.startedBy } as const
  const closed = await resolveInBulk(tx, { ids, now }, by, job.companyId, found)
  const isDone = found.length < CLOSE_JOB.page
  return {
    position: found.at(-1) ?? job.position,
    lookedAt: job.lookedAt + found.length,
    closed: job.closed + closed,
    ...(isDone
      ? { state: 'done', dueAt: null, endedAt: now }
      : { dueAt: new Date(now.getTime() + CLOSE_JOB.everyMs) }),
  }
}
