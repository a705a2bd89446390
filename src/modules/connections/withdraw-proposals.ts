import type { Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { ProposalWithdrawal } from '../../core/vocabulary/calls.ts'

/** A selection of a company's proposals; all given conditions must match. */
export type ProposalSelector = {
  companyId: string
  proposalId?: string
  conversationId?: string
  actionId?: string
  connectionId?: string
}

/**
 * Withdraws the selected proposals that were not agreed to yet, so that customers can no longer agree to them.
 *
 * Spec: States › Proposal of an AI action.
 */
export async function withdrawProposals(
  tx: Transaction<DB>,
  selector: ProposalSelector,
  why: ProposalWithdrawal,
  now: Date,
): Promise<void> {
  const { companyId, proposalId, conversationId, actionId, connectionId } = selector
  await tx
    .updateTable('actionProposal')
    .set({ state: 'withdrawn', withdrawnBecause: why, endedAt: now })
    .where('companyId', '=', companyId)
    .where('state', 'in', ['drafted', 'proposed'])
    .$if(proposalId !== undefined, (where) => where.where('id', '=', proposalId!))
    .$if(conversationId !== undefined, (where) =>
      where.where('conversationId', '=', conversationId!),
    )
    .$if(actionId !== undefined, (where) => where.where('actionId', '=', actionId!))
    .$if(connectionId !== undefined, (where) =>
      where.where('actionId', 'in', (of) =>
        of.selectFrom('aiAction').select('id').where('connectionId', '=', connectionId!),
      ),
    )
    .execute()
}
