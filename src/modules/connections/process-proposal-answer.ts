import { transaction } from '../../infra/database/transaction.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import type { ActionResult } from './call-action.ts'
import { confirmProposal } from './confirm-proposal.ts'
import { lockConversation } from './draft-proposal.ts'
import type { CallDeps } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { findOpenProposal } from './open-proposal.ts'
import { readAnswerToProposal } from './read-answer-to-proposal.sql.ts'
import { withdrawProposals } from './withdraw-proposals.ts'
import { describeProposal, type ProposalDescription } from './render-confirmation.ts'

/** The effect of the customer's answer on the open proposal, which is processed at the start of a reply. */
export type AnsweredProposal =
  /** The conversation has no open proposal. */
  | { kind: 'none' }
  | (ProposalDescription & { proposalId: string } & (
        | /** The action was executed, or its execution failed. */ {
            kind: 'agreed'
            result: ActionResult
          }
        /** The proposal was withdrawn. `why` is `unclear` after a repeated question. */
        | { kind: 'withdrawn'; why: 'refused' | 'unclear' | 'too_late' }
        /** The proposal stays open: this reply ends by stating it again. */
        | { kind: 'ask_again' }
      ))

/**
 * Processes the customer's answer to the conversation's open proposal, as code reads it. An agreement executes it, a
 * refusal withdraws it, and an unclear answer states it once more, then withdraws it. A repetition in the same reply
 * returns the result of the first execution.
 *
 * Spec: Calls › Confirmation.
 */
export async function processProposalAnswer(
  deps: CallDeps,
  reply: Reply,
): Promise<AnsweredProposal> {
  const proposalId = await findConfirmed(deps, reply)
  if (proposalId !== null) {
    return confirm(deps, reply, proposalId)
  }
  const read = await readOpen(deps, reply)
  if (read.kind !== 'agrees') return read
  return confirm(deps, reply, read.proposalId)
}

async function confirm(
  deps: CallDeps,
  reply: Reply,
  proposalId: string,
): Promise<AnsweredProposal> {
  const result = await confirmProposal(deps, reply, proposalId)
  const named = await describeProposal(deps.db.kysely, { companyId: reply.companyId, proposalId })
  return { kind: 'agreed', proposalId, ...named, result }
}

/** Returns the id of the proposal that this reply confirmed before it was interrupted, or null. */
async function findConfirmed(
  { db }: Pick<CallDeps, 'db'>,
  { companyId, conversationId, replyId }: Reply,
): Promise<string | null> {
  const row = await db.kysely
    .selectFrom('actionProposal')
    .select('id')
    .where('companyId', '=', companyId)
    .where('conversationId', '=', conversationId)
    .where('confirmedBy', '=', replyId)
    .executeTakeFirst()
  return row?.id ?? null
}

type Read = Exclude<AnsweredProposal, { kind: 'agreed' }> | { kind: 'agrees'; proposalId: string }

function readOpen({ db, clock }: Pick<CallDeps, 'db' | 'clock'>, reply: Reply): Promise<Read> {
  return transaction(db, async (tx): Promise<Read> => {
    await lockConversation(tx, reply)
    const now = clock.now()
    const open = await findOpenProposal(tx, reply, now)
    if (!open) return { kind: 'none' }
    const proposalId = open.id
    const answer = await readAnswerToProposal(tx, reply, open, now)
    if (answer === 'agrees') return { kind: 'agrees', proposalId }
    const named = await describeProposal(tx, { companyId: reply.companyId, proposalId })
    if (answer === 'unclear' && open.confirmationCount < ACTION_LIMITS.statedTimes) {
      return { kind: 'ask_again', proposalId, ...named }
    }
    const why = answer === 'refuses' ? 'refused' : answer
    await withdrawProposals(tx, { companyId: reply.companyId, proposalId }, why, now)
    return { kind: 'withdrawn', proposalId, why, ...named }
  })
}
