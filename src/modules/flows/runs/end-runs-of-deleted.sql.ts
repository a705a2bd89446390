import { sql, type RawBuilder, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../../infra/database/after-commit.ts'
import type { Database } from '../../../infra/database/connect.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import { makeRunsDue } from '../../messaging/wake-runs.sql.ts'
import { FLOW_DELETED } from './stop-conditions.ts'

/**
 * Ends runs that a deleted flow leaves, at most 500: those that wait or have not begun are cancelled,
 * in silence. One that a provider has refused for now is due at once, and so is one whose customer has
 * written to it or started it and has no answer: its turn ends it, and leaves them to staff. One that is
 * at work finds out when it comes back. Returns whether any run of the flow is still open, and whether to
 * go on at once.
 *
 * Isolation: rows that somebody else holds are skipped, so this waits for nobody and needs no lock
 * but the runs' own; who holds one now ends it himself or leaves it to the next batch. Replies are
 * looked for again once the runs are held: until the commit nobody can keep another for them.
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
      and (due_at > ${now} or not ${ENDS_BY_TURN})
    limit ${RUN_LIMITS.endedAtOnce} for update of flow_run skip locked
  `.execute(tx)
  const ids = picked.map(({ id }) => id)
  await sql`
    with ended as (
      update flow_run set status = ${FLOW_DELETED.status},
        end_detail = ${serializeFact(FLOW_DELETED.detail)}, ended_at = ${now},
        step_id = null, wait_kind = null, wait_until = null, waiting_since = null
      where id = any(${ids}::uuid[]) and not ${ENDS_BY_TURN}
      returning id
    )
    delete from run_queue where id = any(array(select id from ended))
  `.execute(tx)
  await makeRunsDue(
    sql`select id, company_id, status from flow_run
      where id = any(${ids}::uuid[]) and ended_at is null`,
    now,
  ).execute(tx)
  // Those that are to end themselves are due, and beyond the batch there may be more to end.
  notifyAfterCommit(tx, 'runs')
  const open = await tx
    .selectFrom('flowRun')
    .select('id')
    .where('flowId', '=', flowId)
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return { isOpen: open !== undefined, isFull: picked.length === RUN_LIMITS.endedAtOnce }
}

/**
 * Of a run: whether there is a reply of its customer like this. Looked up for each run by itself: what `exists`
 * asks of many runs the planner may answer by reading all replies there are.
 */
const hasReply = (like: RawBuilder<unknown>) => sql`coalesce((
  select true from flow_run_reply reply where reply.run_id = flow_run.id and ${like} limit 1), false)`

/** Of a run: it has not answered what its customer wrote to it, or began it with. As `isCutOff` has it of a turn. */
const OWES_ANSWER = sql`(status <> 'waiting' or wait_kind = 'sent' or not has_sent)
  and (trigger_message_id is not null or ${hasReply(sql`true`)})`

/** Of a run: its own turn is to end it, since it is at work or leaves a customer alone. */
const ENDS_BY_TURN = sql`(status = 'running' or (${OWES_ANSWER})
  or ${hasReply(sql`reply.consumed_at is null`)})`

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
