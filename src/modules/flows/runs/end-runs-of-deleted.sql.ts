import { sql, type RawBuilder, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../../infra/database/after-commit.ts'
import type { Database } from '../../../infra/database/connect.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import { makeRunsDue } from '../../messaging/make-runs-due.sql.ts'
import { FLOW_DELETED } from './stop-conditions.ts'

/**
 * Ends up to 500 open runs of a deleted flow: waiting and queued ones are cancelled without events. Runs with a send
 * to retry, and runs with an unanswered customer, become due: their advance ends them and leaves the customer to
 * staff. A run with an effect in progress ends when that returns. Returns whether any run is still open, and whether
 * to continue immediately.
 *
 * Isolation: rows that another transaction has locked are skipped, so this waits for none and locks only runs; the
 * holder ends the run or leaves it to the next batch. Replies are looked up again once the runs are locked: until the
 * commit none can be added.
 * Spec: readings F7, F9, F39.
 */
export async function endRunsOfFlow(
  tx: Transaction<DB>,
  flowId: string,
  now: Date,
): Promise<{ isOpen: boolean; isFull: boolean }> {
  const { rows: picked } = await sql<{ id: string }>`
    select flow_run.id from flow_run
      left join lateral (select due_at, claim_id from run_queue
        where run_queue.id = flow_run.id limit 1) queued on true
    where flow_id = ${flowId} and claim_id is null and ended_at is null
      and (due_at > ${now} or not ${ENDS_BY_ADVANCE})
    limit ${RUN_LIMITS.endedPerBatch} for update of flow_run skip locked
  `.execute(tx)
  const ids = picked.map(({ id }) => id)
  await sql`
    with ended as (
      update flow_run set status = ${FLOW_DELETED.status},
        end_detail = ${serializeFact(FLOW_DELETED.detail)}, ended_at = ${now},
        step_id = null, wait_kind = null, wait_until = null, waiting_since = null
      where id = any(${ids}::uuid[]) and not ${ENDS_BY_ADVANCE}
      returning id
    )
    delete from run_queue where id = any(array(select id from ended))
  `.execute(tx)
  await makeRunsDue(
    sql`select id, company_id, status from flow_run
      where id = any(${ids}::uuid[]) and ended_at is null`,
    now,
  ).execute(tx)
  // Some runs are due to end themselves, and more may be left beyond the batch.
  notifyAfterCommit(tx, 'runs')
  const open = await tx
    .selectFrom('flowRun')
    .select('id')
    .where('flowId', '=', flowId)
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return { isOpen: open !== undefined, isFull: picked.length === RUN_LIMITS.endedPerBatch }
}

/**
 * Returns the SQL expression that a run has a reply of its customer that meets `condition`. A scalar subquery forces one
 * look-up per run; for `exists` the planner may read all replies.
 */
const hasReply = (condition: RawBuilder<unknown>) => sql`coalesce((
  select true from flow_run_reply reply where reply.run_id = flow_run.id and ${condition} limit 1), false)`

/**
 * The condition that a run has not answered a message that its customer wrote or started it with. `endsWithoutAnswer`
 * decides the same of an advance.
 */
const OWES_ANSWER = sql`(status <> 'waiting' or wait_kind = 'sent' or not has_sent)
  and (trigger_message_id is not null or ${hasReply(sql`true`)})`

/** The condition that an advance has to end the run, as it has an effect in progress or an unanswered customer. */
const ENDS_BY_ADVANCE = sql`(status = 'running' or (${OWES_ANSWER})
  or ${hasReply(sql`reply.consumed_at is null`)})`

/**
 * Continues ending the runs of deleted flows, a batch per flow. Returns whether to continue immediately; runs with an
 * effect in progress are looked up again later.
 *
 * Isolation: the flow's row is locked, so that two nodes end the runs of different flows.
 */
export async function endRunsOfDeletedFlows(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  now: Date,
): Promise<boolean> {
  const flows = await db.kysely
    .selectFrom('flow')
    .select('id')
    .where(sql<boolean>`has_runs_to_end`)
    .orderBy('deletedAt')
    .limit(RUN_LIMITS.deletedFlowsPerBatch)
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
    const locked = await tx
      .selectFrom('flow')
      .select('id')
      .where('id', '=', id)
      .where('hasRunsToEnd', '=', true)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!locked) return false
    const { isOpen, isFull } = await endRunsOfFlow(tx, id, now)
    if (!isOpen) {
      await tx.updateTable('flow').set({ hasRunsToEnd: false }).where('id', '=', id).execute()
    }
    return isFull
  })
}
