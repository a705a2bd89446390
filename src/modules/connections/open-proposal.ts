import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { isCancellation } from '../../rules/calls/state-action.ts'
import { whyToWithdraw, type ConversationKey, type ProposalRow } from './proposal.ts'
import { readDefinition } from './view-action.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/** A proposal that was stated and has no answer yet. */
export type OpenProposal = {
  id: string
  /** "Cancel" is not a refusal of a proposal that itself cancels. */
  kind: 'cancellation' | 'other'
  /** The action's name and the merchant's sentences in both languages, whose words an answer may repeat. */
  stated: string
  confirmationSentAt: Date
  confirmationCount: number
}

/**
 * Returns the conversation's only proposal that the customer can agree to now, or null after withdrawing one whose
 * preconditions no longer hold.
 *
 * Isolation: the caller has locked the conversation.
 */
export async function findOpenProposal(
  tx: Transaction<DB>,
  { companyId, conversationId }: ConversationKey,
  now: Date,
): Promise<OpenProposal | null> {
  const row = await tx
    .selectFrom('actionProposal')
    .leftJoin('aiAction', 'aiAction.id', 'actionProposal.actionId')
    .selectAll('actionProposal')
    .select(['aiAction.toolName', 'aiAction.definition'])
    .where('actionProposal.companyId', '=', companyId)
    .where('actionProposal.conversationId', '=', conversationId)
    .where('actionProposal.state', '=', 'proposed')
    .executeTakeFirst()
  if (!row) return null
  const why = await whyToWithdraw(tx, { companyId }, row.id, now)
  if (why !== null) {
    await withdrawProposals(tx, { companyId, proposalId: row.id }, why, now)
    return null
  }
  const stated = statedText(row)
  return {
    id: row.id,
    kind: kindOf(row),
    stated,
    confirmationSentAt: row.confirmationSentAt!,
    confirmationCount: row.confirmationCount,
  }
}

function kindOf({
  toolName,
  definition,
}: ProposalRow & { toolName: string | null; definition: string | null }): OpenProposal['kind'] {
  if (toolName === null || definition === null) return 'cancellation'
  return isCancellation({ toolName, ...readDefinition(definition) }) ? 'cancellation' : 'other'
}

function statedText({
  toolName,
  definition,
}: {
  toolName: string | null
  definition: string | null
}): string {
  if (toolName === null || definition === null) return 'cancel appointment'
  const { statement } = readDefinition(definition)
  return [toolName.replaceAll('_', ' '), statement.en, statement.ar].join(' ')
}
