import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/**
 * Records that the provider has accepted the message that states a proposal: from now on the customer can agree to
 * it. A repeated statement restarts its time. Returns false when it was withdrawn meanwhile. Idempotent per message.
 *
 * Spec: States › Proposal of an AI action.
 */
export async function markConfirmationSent(
  tx: Transaction<DB>,
  {
    companyId,
    proposalId,
    messageId,
    at,
  }: { companyId: string; proposalId: string; messageId: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update action_proposal set state = 'proposed',
      confirmation_sent_at = case when is_known then confirmation_sent_at else ${at} end,
      confirmation_count = confirmation_count + case when is_known then 0 else 1 end,
      confirmation_message_id = ${messageId}
    from (select id as proposal_id, confirmation_message_id is not distinct from ${messageId} as is_known
      from action_proposal where id = ${proposalId} and company_id = ${companyId}
        and state in ('drafted', 'proposed') for update) proposal
    where id = proposal_id
    returning id
  `.execute(tx)
  return rows.length > 0
}
