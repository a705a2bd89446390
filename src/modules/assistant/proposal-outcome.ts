/** The outcome of a proposal in this reply, as code states it to the customer. Spec: Calls › Confirmation. */
import type { ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { stateOutcome, type OutcomeState } from '../../rules/calls/state-outcome.ts'
import { languageOf } from './language.ts'
import { isAnswerToProposal, type LoadedReply } from './reply.ts'
import { readToolData } from './step-data.ts'

/** The outcome of a proposal, with its sentence for the customer. */
export type ProposalOutcome = {
  state: OutcomeState
  tool: string
  does?: readonly ClaimKind[]
  /** The sentence above the model's text; null when the proposal is stated again instead. */
  sentence: string | null
}

/**
 * Returns what became of the proposal that the customer has answered, with the sentence for them; null when they
 * answered none.
 */
export function proposalOutcomeOf(loaded: LoadedReply): ProposalOutcome | null {
  const { steps, reply } = loaded
  const read = steps.findLast((step) => isAnswerToProposal(step) && step.state === 'done')
  const { answered, hasEffect = false, does } = read ? readToolData(read) : {}
  if (!answered?.state || answered.kind === 'none') return null
  // The model reports what was only looked up.
  if (answered.isCalled && !hasEffect) return null
  const { kind, state, tool = 'action_', what = null } = answered
  // A restarted reply repeats the question only while the proposal is open, as its answer was then read again.
  if (kind === 'ask_again')
    return read!.epoch === reply.epoch
      ? { state, tool, ...(does && { does }), sentence: null }
      : null
  const language = languageOf(loaded)
  const sentence = stateOutcome(state, what?.[language] ?? null, language)
  return { state, tool, ...(does && { does }), sentence }
}
