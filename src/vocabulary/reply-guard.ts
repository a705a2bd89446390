/** Why a text of a model was not sent, and it was asked for once more. Spec: Assistant › What is never sent. */
export const GUARD_FAULTS = [
  'too_long',
  'tool_name',
  'mark_or_id',
  'instructions',
  'nothing_left',
  'not_done',
  /** Of a customer who writes in Arabic, or in another language than the text. */
  'not_in_arabic',
  'not_in_their_language',
] as const
export type GuardFault = (typeof GUARD_FAULTS)[number]
