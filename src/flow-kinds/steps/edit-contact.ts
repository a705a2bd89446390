import { fact } from '../../core/facts/fact.ts'
import type { StepMutation } from './run-state.ts'
import type { NextAction, Traversal } from './step-design.ts'

type Edit = Omit<Extract<StepMutation, { kind: 'edit_contact' }>, 'kind'>

/**
 * Returns the action of a step that changes the customer's contact. A visitor has no record to change, and the history
 * says so. Reading F35.
 */
export function contactEdit({ contact }: Traversal, to: string | null, edit: Edit): NextAction {
  if (!contact) return { kind: 'go_on', to, detail: fact('visitor_is_no_contact') }
  return { kind: 'go_on', to, detail: null, act: { kind: 'edit_contact', ...edit } }
}
