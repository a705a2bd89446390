import type { Transaction } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { fact } from '../../../core/facts/fact.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import { abandonSends } from '../../messaging/abandon-sends.ts'
import { failed, type Variables } from './interpret-flow.ts'
import { endRun } from './end-run.ts'
import { lockRun } from './load-runs.sql.ts'

const RUNS_AT_ONCE = 200
const DETAIL = fact('run_restored')

type OpenRun = { id: string; claimId: string | null }

/**
 * Fails every open run that was started before `before`, with its event, and returns how many. The operator does this
 * after a backup was restored, while no worker advances runs: what a run did after the backup is unknown, and nothing
 * must be sent or called twice. A send without a known outcome becomes `unknown`. Idempotent.
 */
export async function failRestoredRuns(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  before: Date,
  onProgress: (ended: number) => void,
): Promise<number> {
  let ended = 0
  for (;;) {
    const runs = await db.kysely
      .selectFrom('flowRun')
      .leftJoin('runQueue', 'runQueue.id', 'flowRun.id')
      .select(['flowRun.id', 'claimId'])
      .where('endedAt', 'is', null)
      .where('createdAt', '<=', before)
      .orderBy('flowRun.id')
      .limit(RUNS_AT_ONCE)
      .execute()
    for (const run of runs) {
      await transaction(db, (tx) => endOne(tx, { ids, now: clock.now() }, run))
    }
    ended += runs.length
    if (runs.length < RUNS_AT_ONCE) return ended
    onProgress(ended)
  }
}

async function endOne(
  tx: Transaction<DB>,
  { ids, now }: { ids: Context['ids']; now: Date },
  run: OpenRun,
): Promise<void> {
  const loaded = await lockRun(tx, run)
  if (!loaded) throw new Error(`Run ${run.id} is claimed by a process: stop every process first`)
  await abandonSends(tx, now, run.id)
  await tx
    .updateTable('flowRunStep')
    .set({ status: 'interrupted', endedAt: now, detail: serializeFact(DETAIL) })
    .where('runId', '=', run.id)
    .where('status', '=', 'started')
    .execute()
  const variables = JSON.parse(loaded.run.variables) as Variables
  await endRun(tx, { ids, now }, loaded, failed('error', DETAIL), variables)
}
