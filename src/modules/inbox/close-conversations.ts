import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { BulkClose, BulkClosed, CloseFilter } from '../../contract/dashboard/conversation.ts'
import type { Transaction } from 'kysely'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { cancelRuns } from '../flows/runs/cancel-runs.sql.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'
import type { ChangedBy } from '../messaging/plan-changes.ts'
import { ServiceError } from '../../core/service-error.ts'
import { viewCloseJob } from './close-jobs.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>

/**
 * Resolves named conversations and returns their number, or starts a job that resolves those of a filter. Conversations
 * that are already resolved, or belong to another company, are skipped.
 * @throws forbidden for an Agent who closes by a filter
 *
 * Spec: Inbox › Closing many; reading E5.
 */
export async function closeConversations(
  { db, ids, clock }: Deps,
  actor: Actor,
  { companyId, ids: named, filter }: BulkClose & { companyId: string },
): Promise<BulkClosed> {
  const company = { kind: 'company', id: companyId, companyId }
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    if (named) {
      const by = { kind: 'member', personId: actor.personId } as const
      const closed = await resolveInBulk(tx, { ids, now }, by, companyId, [...new Set(named)])
      await audit('conversations.closed', company, { asked: named.length, closed })
      return { closed, job: null }
    }
    if (actor.role === 'agent') {
      throw new ServiceError('forbidden', fact('bulk_filter_needs_admin'))
    }
    const job = await startJob(tx, { ids, now }, actor, companyId, filter!)
    await audit(
      'conversations.close_started',
      { ...company, kind: 'close_job', id: job.id },
      filter,
    )
    notifyAfterCommit(tx, 'closes')
    return { closed: 0, job: viewCloseJob(job) }
  })
}

/** Resolves conversations in the caller's transaction, cancels their runs, and returns how many were open. */
export async function resolveInBulk(
  tx: Transaction<DB>,
  deps: { ids: Context['ids']; now: Date },
  by: ChangedBy,
  companyId: string,
  conversationIds: readonly string[],
): Promise<number> {
  const change = { kind: 'resolve', isBulk: true } as const
  const made = await transitionConversations(
    tx,
    deps,
    conversationIds.map((conversationId) => ({ companyId, conversationId, by, change })),
  )
  const closed = made.flatMap((one) => (one?.isChanged ? [one.conversationId] : []))
  await cancelRuns(tx, deps.now, { conversationIds: closed }, fact('conversation_resolved'))
  return closed.length
}

function startJob(
  tx: Transaction<DB>,
  { ids, now }: { ids: Context['ids']; now: Date },
  { accountId, personId }: Actor,
  companyId: string,
  filter: CloseFilter,
) {
  return tx
    .insertInto('closeJob')
    .values({
      id: ids.uuid(),
      companyId,
      accountId,
      startedBy: personId,
      filter: JSON.stringify(filter),
      state: 'running',
      before: now,
      dueAt: now,
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
