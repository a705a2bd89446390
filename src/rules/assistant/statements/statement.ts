import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'

/** What a text states as done, as being done, or as promised of a person. */
export type Statement = {
  /**
   * `own`: whoever writes did it. `theirs`: it is so with the customer's order. `now`: it is being done. `staff`: a
   * person will act, or was asked to. `loose`: said of nothing in particular; counts where something is at stake.
   */
  form: 'own' | 'theirs' | 'now' | 'staff' | 'loose'
  /** Each may be meant. */
  kinds: readonly ClaimKind[]
  /** The word that says it, folded. */
  word: string
  /** Given back to the customer as what they wrote: "I understand that …". */
  isFramed: boolean
  /** The words of its clause, folded. */
  clause: string
  /** Numbers of orders and the like in the clause. */
  numbers: readonly string[]
}

export type Found = Pick<Statement, 'form' | 'kinds' | 'word'>
