/**
 * Reasons why a model's text was not sent and another one was requested. Spec: Assistant › Texts that are never sent.
 */
export const GUARD_FAULTS = [
  'too_long',
  'tool_name',
  /** The text contains a tool call, a tool result, or data. */
  'tool_text',
  /** A mark of a chat template, or of reasoning. */
  'machinery',
  'mark_or_id',
  'instructions',
  'nothing_left',
  /** The text is about the model, or about the systems it uses. */
  'of_itself',
  'not_done',
  /** The text promises that a person will act, although no handover took place. */
  'promised_person',
  /** Another time or day than the one that was booked. */
  'other_time',
  /** A number or an address that only a merchant's system returned, on a channel that does not verify the reader. */
  'others_data',
  /** The customer writes in Arabic, or in another language than the text. */
  'not_in_arabic',
  'not_in_their_language',
] as const
export type GuardFault = (typeof GUARD_FAULTS)[number]

/**
 * Outcomes of a checked text. `dropped`: only the fixed sentence was sent. `observed`: the text was sent
 * nevertheless.
 */
export const GUARD_VERDICTS = ['sent', 'repaired', 'dropped', 'replaced', 'observed'] as const
export type GuardVerdict = (typeof GUARD_VERDICTS)[number]

/**
 * Faults that are derived from words and may be wrong. An operator may let texts with them be sent, and only count
 * them.
 */
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

/** The outcome of one text and its reason; `fault` is null when the text passed. */
export type GuardOutcome = { verdict: GuardVerdict; fault: GuardFault | null }
