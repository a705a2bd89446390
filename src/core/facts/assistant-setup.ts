import type { None } from './none.ts'

/** Reasons why settings of the assistant are refused. */
export type AssistantSetupFacts = {
  /** Another member saved the settings meanwhile. */
  assistant_changed: None
  /** Neither a model of the account nor the operator's transcribes voice notes. */
  no_model_hears: None
  /** Neither a model of the account nor the operator's reads images. */
  no_model_sees: None
  no_such_reply: None
  /** The last message of a trial conversation is not the customer's. */
  last_not_customers: None
  /** A new message arrived while a reply was being suggested. */
  conversation_went_on: None
}
