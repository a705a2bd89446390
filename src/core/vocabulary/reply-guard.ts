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

/** What became of a text that was looked at. `dropped`: code's own sentence went out alone. `observed`: sent all the same. */
export const GUARD_VERDICTS = ['sent', 'repaired', 'dropped', 'replaced', 'observed'] as const
export type GuardVerdict = (typeof GUARD_VERDICTS)[number]

/** Faults that are read of words, and may be misread: an operator may let texts out with them, and count them. */
export const OBSERVABLE_FAULTS = [
  'tool_name',
  'tool_text',
  'machinery',
  'of_itself',
  'not_done',
  'promised_person',
  'other_time',
] as const satisfies readonly GuardFault[]
export type ObservableFault = (typeof OBSERVABLE_FAULTS)[number]

/** What became of one text, and why; null: nothing was wrong. */
export type Judged = { verdict: GuardVerdict; fault: GuardFault | null }
