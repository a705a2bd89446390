import { sql, type Transaction } from 'kysely'
import type { DB } from '../../../infra/database/tables.ts'
import { isStaffHandling } from '../../../rules/messaging/take-over.ts'
import { refused } from './read-input.ts'
import type { ToolContext } from './tool.ts'

/** The conversation as it is when something is done in it. */
export type HeldTurn = { companyName: string | null; qualifyAt: number; handsOver: boolean }

export const NOT_HERE = refused(
  'Nothing was done: the assistant no longer answers in this conversation.',
)

/**
 * Holds the conversation for a change that the assistant makes, and looks once more whether it may: null where
 * staff has it by now or the assistant was switched off.
 *
 * Isolation: the conversation is locked before whatever the change locks.
 */
export async function holdTurn(
  tx: Transaction<DB>,
  { companyId, conversationId }: ToolContext,
  now: Date,
): Promise<HeldTurn | null> {
  const { rows } = await sql<
    HeldTurn & { handledBy: string; takenOverUntil: Date | null; isOn: boolean }
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
