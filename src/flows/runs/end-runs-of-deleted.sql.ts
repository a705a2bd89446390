import { sql, type Transaction } from 'kysely'
import { noteWork } from '../../database/commit-notes.ts'
import type { Database } from '../../database/connect.ts'
import type { DB } from '../../database/tables.ts'
import { transaction } from '../../database/transaction.ts'
import { storeFact } from '../../facts/stored-fact.ts'
import { RUN_LIMITS } from '../../limits/flows.ts'
import { FLOW_DELETED } from './interruption.ts'

/**
 * Ends runs that a deleted flow leaves, at most 500: those that wait or have not begun are cancelled,
 * in silence; one that a provider has refused for now is due at once. One that is at work finds out when
 * it comes back. Returns whether any run of the flow is still open, and whether to go on at once.
 *
 * Isolation: rows that somebody else holds are skipped, so this waits for nobody and needs no lock but
 * the runs' own; who holds one now ends it himself or leaves it to the next batch.
 */
export async function endRunsOfFlow(
  tx: Transaction<DB>,
  flowId: string,
  now: Date,
): Promise<{ isOpen: boolean; isFull: boolean }> {
  const { numAffectedRows } = await sql`
    with picked as materialized (
      select id from flow_run
      where flow_id = ${flowId} and claim_id is null
        and status in ('queued', 'running', 'waiting') and (status <> 'running' or wake_at > ${now})
      limit ${RUN_LIMITS.endedAtOnce} for update skip locked
    )
    update flow_run set
      status = case status when 'running' then status else ${FLOW_DELETED.status} end,
      end_detail = case status when 'running' then null else ${storeFact(FLOW_DELETED.detail)} end,
      ended_at = case status when 'running' then null else ${now}::timestamptz end,
      wake_at = case status when 'running' then ${now}::timestamptz end,
      step_id = case status when 'running' then step_id end,
      wait_kind = null, wait_until = null, waiting_since = null
    where id = any(array(select id from picked))
  `.execute(tx)
  // One that a provider has refused for now is due, and beyond the batch there may be more to end.
  noteWork(tx, 'runs')
  const open = await tx
    .selectFrom('flowRun')
    .select('id')
    .where('flowId', '=', flowId)
    .where('status', 'in', ['queued', 'running', 'waiting'])
    .limit(1)
    .executeTakeFirst()
  return {
    isOpen: open !== undefined,
    isFull: Number(numAffectedRows ?? 0) === RUN_LIMITS.endedAtOnce,
  }
}

/**
 * Goes on with what deletions have left to do, a batch of each flow. Returns whether to go on at once;
 * runs that are at work are looked for again later.
 *
 * Isolation: the flow's row is held, so that two nodes end the runs of different flows.
 */
export async function endRunsOfDeletedFlows(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  now: Date,
): Promise<boolean> {
  const flows = await db.kysely
    .selectFrom('flow')
    .select('id')
    .where('hasRunsToEnd', '=', true)
    .orderBy('deletedAt')
    .limit(RUN_LIMITS.deletedFlowsAtOnce)
    .execute()
  let isFull = false
  for (const { id } of flows) isFull = (await endBatch(db, id, now)) || isFull
  return isFull
}

async function endBatch(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  id: string,
  now: Date,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const held = await tx
      .selectFrom('flow')
      .select('id')
      .where('id', '=', id)
      .where('hasRunsToEnd', '=', true)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!held) return false
    const { isOpen, isFull } = await endRunsOfFlow(tx, id, now)
    if (!isOpen) {
      await tx.updateTable('flow').set({ hasRunsToEnd: false }).where('id', '=', id).execute()
    }
    return isFull
  })
}
