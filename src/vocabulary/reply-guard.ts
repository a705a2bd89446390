/** Why a text of a model was not sent, and it was asked for once more. Spec: Assistant › What is never sent. */
export const GUARD_FAULTS = [
  'too_long',
  'tool_name',
  /** A call of a tool, what a tool returned, or data, written into the text. */
  'tool_text',
  /** A mark of a chat template, or of reasoning. */
  'machinery',
  'mark_or_id',
  'instructions',
  'nothing_left',
  /** Of the model's making, or of what it works with. */
  'of_itself',
  'not_done',
  /** That a person will act, where the conversation was handed over to nobody. */
  'promised_person',
  /** Another time or day than the one that was booked. */
  'other_time',
  /** A number or an address that only a system of the shop told, where nobody vouches for who reads it. */
  'others_data',
  /** Of a customer who writes in Arabic, or in another language than the text. */
  'not_in_arabic',
  'not_in_their_language',
] as const
export type GuardFault = (typeof GUARD_FAULTS)[number]
