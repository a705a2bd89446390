/** What somebody did with an earlier message. */
export type Annotation = {
  ofProviderId: string
  by: 'customer' | 'business'
  at: Date | null
} & (
  | { what: 'delete' }
  /** The message as it reads from then on; null: without words. */
  | { what: 'edit'; text: string | null }
  /** Null where the reaction was taken off again. */
  | { what: 'reaction'; emoji: string | null }
)
