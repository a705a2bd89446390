import type { Transaction } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { fact } from '../../../core/facts/fact.ts'
import type { Ids } from '../../../core/ids.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import { transitionConversations } from '../../messaging/transition-conversations.ts'
import { abandonSends } from '../../messaging/abandon-sends.ts'
import { failed, type Variables } from './interpret-flow.ts'
import type { ClaimedRun } from './run-queue.ts'
import { endRun } from './end-run.ts'
import { lockRun, type RunRow } from './read-run.ts'

/**
 * Defers a run that cannot be advanced for an internal error, with a growing delay; after the last one it fails and
 * leaves a customer who wrote to staff. Returns when it is retried, or null when it failed. Spec: reading F39.
 */
export async function deferRunAfterError(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  claimed: ClaimedRun,
): Promise<Date | null> {
  return transaction(db, async (tx) => {
    const loaded = await lockRun(tx, claimed)
    if (!loaded) return null
    const now = clock.now()
    const { failureCount, variables } = loaded.run
    const delayMs = RUN_LIMITS.retryDelaysMs[failureCount]
    if (delayMs === undefined) {
      await abandonSends(tx, now, loaded.run.id)
      const end = failed('error', fact('run_not_taken_on'))
      await endRun(tx, { ids, now }, loaded, end, JSON.parse(variables) as Variables)
      if (await hasCustomerMessage(tx, loaded.run)) await flagForStaff(tx, { ids, now }, loaded.run)
      return null
    }
    const dueAt = new Date(now.getTime() + delayMs)
    await tx
      .updateTable('flowRun')
      .set({ failureCount: failureCount + 1 })
      .where('id', '=', loaded.run.id)
      .execute()
    await tx
      .updateTable('runQueue')
      .set({ dueAt, claimId: null, leaseExpiresAt: null })
      .where('id', '=', loaded.run.id)
      .execute()
    return dueAt
  })
}

/** Returns whether the customer wrote to the run or started it, so that nothing else answers them. */
async function hasCustomerMessage(tx: Transaction<DB>, run: RunRow): Promise<boolean> {
  if (run.triggerMessageId !== null) return true
  const reply = await tx
    .selectFrom('flowRunReply')
    .select('runId')
    .where('runId', '=', run.id)
    .limit(1)
    .executeTakeFirst()
  return reply !== undefined
}

async function flagForStaff(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  { id: runId, companyId, conversationId }: RunRow,
): Promise<void> {
  const change = { kind: 'need_staff', since: deps.now } as const
  await transitionConversations(tx, deps, [
    { companyId, conversationId, by: { kind: 'flow', runId }, change },
  ])
}
