/**
 * Proposals: what the assistant offers to do once the customer agrees, an action or the cancellation of an
 * appointment. Spec: States › Proposal of an AI action.
 */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { ActionProposal, DB } from '../../infra/database/tables.ts'
import type { ProposalWithdrawal } from '../../core/vocabulary/calls.ts'
import { isUuid } from '../../rules/text/uuid.ts'

/** A row of the table of proposals. */
export type ProposalRow = Selectable<ActionProposal>

/** The id of a conversation with the id of its company. */
export type ConversationKey = { companyId: string; conversationId: string }

/** Returns the payload of the button that agrees to a proposal. */
export const agreePayload = (proposalId: string) => `agree:${proposalId}`
/** Returns the payload of the button that declines a proposal. */
export const declinePayload = (proposalId: string) => `decline:${proposalId}`

/** Locks a proposal, or returns null when the conversation has none with the id. */
export async function lockProposal(
  tx: Transaction<DB>,
  { companyId, conversationId }: ConversationKey,
  proposalId: string,
): Promise<ProposalRow | null> {
  if (!isUuid(proposalId)) return null
  const row = await tx
    .selectFrom('actionProposal')
    .selectAll()
    .where('id', '=', proposalId)
    .where('companyId', '=', companyId)
    .where('conversationId', '=', conversationId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns why a proposal must be withdrawn, or null: staff took over since it was drafted, the customer opted out, or
 * what was stated has changed.
 *
 * Isolation: read committed; a caller that acts on the result has locked the conversation.
 */
export async function whyToWithdraw(
  db: Kysely<DB>,
  { companyId }: { companyId: string },
  proposalId: string,
  now: Date,
): Promise<ProposalWithdrawal | null> {
  const { rows } = await sql<{ why: ProposalWithdrawal | null }>`
    select case
      when conversation.handled_by = 'staff'
          and coalesce(conversation.taken_over_until > ${now}, true)
        or conversation.taken_over_at >= proposal.created_at then 'taken_over'
      -- Providers' times have whole seconds.
      when greatest(contact.opt_out_word_at, contact.opted_out_at) >= date_trunc('second', proposal.created_at) then 'opted_out'
      when proposal.action_id is not null
        and (not action.is_on or action.revision <> proposal.revision) then 'action_changed'
      when proposal.action_id is not null
        and (not connection.is_on or connection.deleted_at is not null) then 'connection_changed'
      when proposal.appointment_id is not null and (appointment.status <> 'confirmed'
        or appointment.version <> proposal.revision or appointment.starts_at <= ${now})
        then 'appointment_changed'
      end as why
    from action_proposal proposal
      join conversation on conversation.id = proposal.conversation_id
      left join contact on contact.id = conversation.contact_id
      left join ai_action action on action.id = proposal.action_id
      left join api_connection connection on connection.id = action.connection_id
      left join appointment on appointment.id = proposal.appointment_id
    where proposal.id = ${proposalId} and proposal.company_id = ${companyId}
  `.execute(db)
  return rows[0]?.why ?? null
}
