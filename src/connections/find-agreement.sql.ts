import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { ACTION_LIMITS } from '../limits/calls.ts'

type Proposal = {
  companyId: string
  conversationId: string
  afterMessageId: string | null
  createdAt: Date
}

/**
 * Whether the customer has written since a proposal, in time. A message counts that was both written
 * and saved after the proposal: one that was on its way when the assistant proposed agrees to nothing.
 * Providers tell when it was written in whole seconds, and the clocks of two nodes differ a little: the
 * message that the proposal answered never counts. An agreement is used up after as long again.
 *
 * Isolation: the caller holds the proposal. A message that commits meanwhile counts the next time.
 */
export async function findAgreement(
  tx: Transaction<DB>,
  { companyId, conversationId, afterMessageId, createdAt }: Proposal,
  now: Date,
): Promise<'agreed' | 'not_agreed' | 'too_late'> {
  const endsAt = new Date(createdAt.getTime() + ACTION_LIMITS.confirmationMs)
  const { rows } = await sql<{ lastInTime: Date | null; hasWritten: boolean }>`
    select max(created_at) filter (where created_at <= ${endsAt}) as last_in_time,
      count(*) > 0 as has_written
    from message
    where conversation_id = ${conversationId} and company_id = ${companyId}
      and direction = 'in' and sender = 'customer' and not is_imported
      and occurred_at >= date_trunc('second', ${createdAt}::timestamptz)
      and created_at > ${createdAt}
      and id is distinct from ${afterMessageId}
  `.execute(tx)
  const { lastInTime, hasWritten } = rows[0]!
  if (lastInTime === null) return hasWritten || now > endsAt ? 'too_late' : 'not_agreed'
  const agreedForMs = now.getTime() - lastInTime.getTime()
  return agreedForMs > ACTION_LIMITS.confirmationMs ? 'too_late' : 'agreed'
}
