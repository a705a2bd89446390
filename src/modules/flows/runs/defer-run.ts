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
 * A run whose turn cannot be taken, by a fault of ours, waits, longer each time; after that it fails,
 * since nothing can be done for it, and leaves a customer who wrote to it to staff. Returns when it is looked
 * at again; null when it is not. Spec: reading F39.
 */
export async function deferRunAfterError(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  claimed: ClaimedRun,
): Promise<Date | null> {
  return transaction(db, async (tx) => {
    const hand = await lockRun(tx, claimed)
    if (!hand) return null
    const now = clock.now()
    const { faults, variables } = hand.run
    const delayMs = RUN_LIMITS.faultDelaysMs[faults]
    if (delayMs === undefined) {
      await abandonSends(tx, now, hand.run.id)
      const end = failed('error', fact('run_not_taken_on'))
      await endRun(tx, { ids, now }, hand, end, JSON.parse(variables) as Variables)
      if (await hasHeardCustomer(tx, hand.run)) await needStaff(tx, { ids, now }, hand.run)
      return null
    }
    const dueAt = new Date(now.getTime() + delayMs)
    await tx
      .updateTable('flowRun')
      .set({ faults: faults + 1 })
      .where('id', '=', hand.run.id)
      .execute()
    await tx
      .updateTable('runQueue')
      .set({ dueAt, claimId: null, leaseExpiresAt: null })
      .where('id', '=', hand.run.id)
      .execute()
    return dueAt
  })
}

/** Whether its customer wrote to it, or started it: nobody else answers them. */
async function hasHeardCustomer(tx: Transaction<DB>, run: RunRow): Promise<boolean> {
  if (run.triggerMessageId !== null) return true
  const reply = await tx
    .selectFrom('flowRunReply')
    .select('runId')
    .where('runId', '=', run.id)
    .limit(1)
    .executeTakeFirst()
  return reply !== undefined
}

async function needStaff(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  { id: runId, companyId, conversationId }: RunRow,
): Promise<void> {
  const change = { kind: 'need_staff', since: deps.now } as const
  await transitionConversations(tx, deps, [
    { companyId, conversationId, by: { kind: 'flow', runId }, change },
  ])
}
