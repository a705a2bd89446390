import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import type { Retries } from '../../../infra/database/queues/defer-job.ts'
import { fact } from '../../../core/facts/fact.ts'
import type { Ids } from '../../../core/ids.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import { transitionConversations } from '../../messaging/transition-conversations.ts'
import { abandonSends } from '../../messaging/abandon-sends.ts'
import { failed, type Variables } from './interpret-flow.ts'
import { RUN_QUEUE } from './run-queue.ts'
import { endRun } from './end-run.ts'
import { lockRun } from './load-runs.sql.ts'
import type { LockedRun, RunRow } from './read-run.ts'

/**
 * The retries of runs after an internal error. After the last one the run fails and leaves a customer who wrote to
 * staff.
 * Spec: reading F39.
 */
export const RUN_RETRIES: Retries<LockedRun, { ids: Ids }, never> = {
  queue: RUN_QUEUE,
  table: 'flow_run',
  retryDelaysMs: RUN_LIMITS.retryDelaysMs,
  lock: lockRun,
  async fail(tx, deps, loaded) {
    const { run } = loaded
    await abandonSends(tx, deps.now, run.id)
    const end = failed('error', fact('run_not_taken_on'))
    await endRun(tx, deps, loaded, end, JSON.parse(run.variables) as Variables)
    if (await hasCustomerMessage(tx, run)) await flagForStaff(tx, deps, run)
    return []
  },
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
