/** A change of an earlier message by its author, or a reaction to it. */
export type Annotation = {
  ofProviderId: string
  by: 'customer' | 'business'
  at: Date | null
} & (
  | { what: 'delete' }
  /** The new text of the message; null without words. */
  | { what: 'edit'; text: string | null }
  /** The emoji; null when the reaction was removed. */
  | { what: 'reaction'; emoji: string | null }
)
