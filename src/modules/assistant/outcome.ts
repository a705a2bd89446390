/** What came of a proposal in this reply, as code tells it to the customer. Spec: Calls › Confirmation. */
import type { ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { stateOutcome, type OutcomeState } from '../../rules/calls/state-outcome.ts'
import { languageOf } from './language.ts'
import { isAgreement, type LoadedReply } from './reply.ts'
import { toolDataOf } from './step-data.ts'

export type Outcome = {
  state: OutcomeState
  tool: string
  does?: readonly ClaimKind[]
  /** Stands before the model's text; null where the customer is asked once more instead. */
  sentence: string | null
}

/** Null where the customer has answered nothing that was proposed. */
export function outcomeOf(hand: LoadedReply): Outcome | null {
  const { steps, reply } = hand
  const read = steps.findLast((step) => isAgreement(step) && step.state === 'done')
  const { answered, hasEffect = false, does } = read ? toolDataOf(read) : {}
  if (!answered?.state || answered.kind === 'none') return null
  // What was only looked up is the model's to tell.
  if (answered.isCalled && !hasEffect) return null
  const { kind, state, tool = 'action_', what = null } = answered
  // A reply that starts again asks once more only while the proposal stands: its answer was then read again.
  if (kind === 'ask_again')
    return read!.epoch === reply.epoch
      ? { state, tool, ...(does && { does }), sentence: null }
      : null
  const language = languageOf(hand)
  const sentence = stateOutcome(state, what?.[language] ?? null, language)
  return { state, tool, ...(does && { does }), sentence }
}
