import { transaction } from '../../infra/database/transaction.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import type { ActionResult } from './call-action.ts'
import { confirmProposal } from './confirm-proposal.ts'
import { lockConversation } from './draft-proposal.ts'
import type { CallDeps } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { openProposal } from './open-proposal.ts'
import { readAnswerToProposal } from './read-answer-to-proposal.sql.ts'
import { withdrawProposals } from './withdraw-proposals.ts'
import { nameProposal, type NamedProposal } from './render-confirmation.ts'

/** What the customer has said to what was stated to them, at the start of a reply. */
export type ProposalAnswered =
  /** Nothing is open. */
  | { kind: 'none' }
  | (NamedProposal & { proposalId: string } & (
        | /** It was done, or was to be done. */ { kind: 'agreed'; told: ActionResult }
        /** It is withdrawn. `why` is `unclear` where they were asked once more already. */
        | { kind: 'withdrawn'; why: 'refused' | 'unclear' | 'too_late' }
        /** It stands: this reply ends with its statement once more. */
        | { kind: 'ask_again' }
      ))

/**
 * Takes the customer's answer to the open proposal of the conversation, as code reads it: an agreement is
 * acted upon, a refusal withdraws, what is neither is asked once more and then withdrawn. Asked again in the
 * same reply it tells of what this reply had confirmed, and does it no second time.
 *
 * Spec: Calls › Confirmation.
 */
export async function answerProposal(deps: CallDeps, reply: Reply): Promise<ProposalAnswered> {
  const proposalId = await confirmedBy(deps, reply)
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
): Promise<ProposalAnswered> {
  const told = await confirmProposal(deps, reply, proposalId)
  const named = await nameProposal(deps.db.kysely, { companyId: reply.companyId, proposalId })
  return { kind: 'agreed', proposalId, ...named, told }
}

/** What this reply had confirmed before it was cut off. */
async function confirmedBy(
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

type Read = Exclude<ProposalAnswered, { kind: 'agreed' }> | { kind: 'agrees'; proposalId: string }

function readOpen({ db, clock }: Pick<CallDeps, 'db' | 'clock'>, reply: Reply): Promise<Read> {
  return transaction(db, async (tx): Promise<Read> => {
    await lockConversation(tx, reply)
    const now = clock.now()
    const open = await openProposal(tx, reply, now)
    if (!open) return { kind: 'none' }
    const proposalId = open.id
    const answer = await readAnswerToProposal(tx, reply, open, now)
    if (answer === 'agrees') return { kind: 'agrees', proposalId }
    const named = await nameProposal(tx, { companyId: reply.companyId, proposalId })
    if (answer === 'unclear' && open.confirmationCount < ACTION_LIMITS.statedTimes) {
      return { kind: 'ask_again', proposalId, ...named }
    }
    const why = answer === 'refuses' ? 'refused' : answer
    await withdrawProposals(tx, { companyId: reply.companyId, proposalId }, why, now)
    return { kind: 'withdrawn', proposalId, why, ...named }
  })
}
