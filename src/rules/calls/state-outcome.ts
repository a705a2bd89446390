/**
 * Renders the outcome of a proposal for the customer. Code writes it, never a model, and it precedes the model's text.
 * Spec: Calls › Confirmation.
 */
import { cutCodePoints } from '../text/json-text.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import { actionWords } from './action-words.ts'

/**
 * The outcomes of a proposal. `failed`: the merchant's system refused it. `unknown`: the result cannot be determined.
 */
export const OUTCOME_STATES = [
  'agreed',
  'failed',
  'unknown',
  'refused',
  'late',
  'unclear',
  'withdrawn',
] as const
export type OutcomeState = (typeof OUTCOME_STATES)[number]

/** The limit of the repeated name; the customer has already read the whole confirmation text. */
const MAX_CHARS = 500

/**
 * Returns the sentence that tells the customer what became of a proposal. `what` names the action, and is null when its
 * name is no longer known.
 */
export function stateOutcome(state: OutcomeState, what: string | null, language: Language): string {
  const sentence = actionWords[language][state]
  return what === null ? `${sentence}.` : `${sentence}: ${cutCodePoints(what, MAX_CHARS)}.`
}
