import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { isStaffHandling } from '../../../rules/messaging/take-over.ts'
import { refusalResult } from './read-input.ts'
import type { ToolContext } from './tool.ts'

/** The settings that a change in a locked conversation needs: of the company, and for leads. */
export type LockedConversation = {
  companyName: string | null
  qualifyAt: number
  handsOver: boolean
}

/** The result when the assistant no longer handles the conversation. */
export const NOT_HANDLED_HERE = refusalResult(
  'Nothing was done: the assistant no longer answers in this conversation.',
)

/**
 * Locks the conversation for a change by the assistant. Returns null when staff handles it by now or the assistant
 * was switched off.
 *
 * Isolation: the conversation is locked before anything that the change locks.
 */
export async function lockForChange(
  tx: Transaction<DB>,
  { companyId, conversationId }: ToolContext,
  now: Date,
): Promise<LockedConversation | null> {
  const { rows } = await sql<
    LockedConversation & { handledBy: string; takenOverUntil: Date | null; isOn: boolean }
  >`
    with held as (
      select id, company_id, handled_by, taken_over_until from conversation
      where id = ${conversationId} and company_id = ${companyId} for update
    )
    select company.name as company_name, held.handled_by, held.taken_over_until,
      assistant.is_on, assistant.qualify_at, assistant.hands_over_qualified as hands_over
    from held join company on company.id = held.company_id
      join assistant on assistant.company_id = held.company_id`.execute(tx)
  const row = rows[0]
  if (!row?.isOn || isStaffHandling(row, now)) return null
  return { companyName: row.companyName, qualifyAt: row.qualifyAt, handsOver: row.handsOver }
}
