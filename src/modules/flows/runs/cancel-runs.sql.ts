import { sql, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../../infra/database/after-commit.ts'
import type { DB } from '../../../infra/database/tables.ts'
import type { Fact } from '../../../core/facts/fact.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import { makeRunsDue } from '../../messaging/make-runs-due.sql.ts'

/**
 * Marks open runs, given by id or by conversation, to be cancelled for a reason, and returns how many it marked. Each
 * becomes due and ends without an event when it is next advanced, or when its send or call returns.
 *
 * Isolation: the runs are locked in the order of their ids.
 * Spec: States › Run; reading F38.
 */
export async function cancelRuns(
  tx: Transaction<DB>,
  now: Date,
  {
    runIds = [],
    conversationIds = [],
    exceptRunIds = [],
  }: {
    runIds?: readonly string[]
    /** Conversations whose open runs are cancelled. */
    conversationIds?: readonly string[]
    /** Runs that are excluded, as they end themselves. */
    exceptRunIds?: readonly string[]
  },
  why: Fact,
): Promise<number> {
  if (runIds.length === 0 && conversationIds.length === 0) return 0
  notifyAfterCommit(tx, 'runs')
  const { numAffectedRows } = await sql`
    with open as materialized (
      select id, company_id, status from flow_run
      where (id = any(${runIds}::uuid[]) or conversation_id = any(${conversationIds}::text[]))
        and ended_at is null and cancel_detail is null
        and id <> all (${exceptRunIds}::uuid[])
      order by id for update
    ), cancelled as (
      update flow_run set cancel_detail = ${serializeFact(why)}
      where id = any(array(select id from open))
    )
    ${makeRunsDue(sql`select * from open`, now)}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
