import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { isCancellation } from '../../rules/calls/state-action.ts'
import { whyGone, type InConversation, type ProposalRow } from './proposal.ts'
import { readDefinition } from './view-action.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/** A proposal that was stated and not answered yet. */
export type OpenProposal = {
  id: string
  /** "Cancel" is no refusal of what itself cancels. */
  kind: 'cancellation' | 'other'
  /** Its name, and the merchant's sentences: what an answer may name. */
  stated: string
  confirmationSentAt: Date
  confirmationCount: number
}

/**
 * What the customer can agree to in a conversation: at most one. One whose ground is gone is withdrawn here,
 * whoever took it away. Null: there is none.
 *
 * Isolation: the conversation is locked by the caller.
 */
export async function openProposal(
  tx: Transaction<DB>,
  { companyId, conversationId }: InConversation,
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
  const why = await whyGone(tx, { companyId }, row.id, now)
  if (why !== null) {
    await withdrawProposals(tx, { companyId, proposalId: row.id }, why, now)
    return null
  }
  const stated = statedOf(row)
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

function statedOf({
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
