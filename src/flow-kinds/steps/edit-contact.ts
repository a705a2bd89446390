import { fact } from '../../facts/fact.ts'
import type { Act } from './run-state.ts'
import type { Move, Walk } from './step-design.ts'

type Edit = Omit<Extract<Act, { kind: 'edit_contact' }>, 'kind'>

/** Changes the customer; of a visitor there is nothing to change, and the history says so. Reading F35. */
export function editContact({ contact }: Walk, to: string | null, edit: Edit): Move {
  if (!contact) return { kind: 'go_on', to, detail: fact('visitor_is_no_contact') }
  return { kind: 'go_on', to, detail: null, act: { kind: 'edit_contact', ...edit } }
}
