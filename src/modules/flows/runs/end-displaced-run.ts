import type { Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import type { Ids } from '../../../core/ids.ts'
import type { Variables } from './interpret-flow.ts'
import { endRun } from './end-run.ts'
import { lockRun } from './load-runs.sql.ts'

/**
 * Ends a run that waits for a reply, because its customer has started another flow instead. A worker that claimed it
 * meanwhile finds it ended. The caller has locked the conversation.
 * Spec: reading F21.
 */
export async function endDisplacedRun(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  runId: string,
): Promise<void> {
  const loaded = (await lockRun(tx, { id: runId }))!
  // The flow was deleted after the run was found waiting.
  if (loaded.run.endedAt) return
  const variables = JSON.parse(loaded.run.variables) as Variables
  const detail = fact('run_left_for_another')
  const end = { kind: 'end', status: 'completed', endReason: 'customer_exited', detail } as const
  await endRun(tx, deps, loaded, end, variables)
}
