import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'

/** A statement of a text about an act that is done, in progress, or promised by a person. */
export type Statement = {
  /**
   * `own`: the writer did it. `theirs`: the customer's order has that state. `now`: it is in progress. `staff`: a
   * person will act, or was asked to. `loose`: it has no clear subject, and counts only when something is at stake.
   */
  form: 'own' | 'theirs' | 'now' | 'staff' | 'loose'
  /** The possible kinds. */
  kinds: readonly ClaimKind[]
  /** The folded word that expresses it. */
  word: string
  /** True when it repeats the customer's words: "I understand that …". */
  isFramed: boolean
  /** The folded words of its clause. */
  clause: string
  /** Numbers of orders and the like in the clause. */
  numbers: readonly string[]
}

/** The part of a statement that a reader of one language finds. */
export type Found = Pick<Statement, 'form' | 'kinds' | 'word'>
