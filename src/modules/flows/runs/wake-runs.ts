import { sql, type Transaction } from 'kysely'
import { notifyAfterCommit } from '../../../infra/database/after-commit.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { makeRunsDue } from '../../messaging/make-runs-due.sql.ts'

/**
 * Makes the open runs of contacts or of a conversation due now, so that their next advance ends them after an opt-out or
 * a takeover.
 */
export async function wakeRuns(
  tx: Transaction<DB>,
  now: Date,
  of: { contactIds: readonly string[] } | { conversationId: string },
): Promise<void> {
  notifyAfterCommit(tx, 'runs')
  const conversations =
    'contactIds' in of
      ? sql`(select id from conversation where contact_id = any(${of.contactIds}::uuid[]))`
      : sql`(${of.conversationId})`
  await sql`
    with open as materialized (
      select id, company_id, status from flow_run
      where conversation_id in ${conversations} and ended_at is null
      order by id for update
    )
    ${makeRunsDue(sql`select * from open`, now)}`.execute(tx)
}
