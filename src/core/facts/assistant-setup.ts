import type { None } from './none.ts'

/** Reasons why settings of the assistant are refused. */
export type AssistantSetupFacts = {
  /** Another member saved the settings meanwhile. */
  assistant_changed: None
  /** No model of the account, or the operator's, can. */
  no_model_hears: None
  no_model_sees: None
  no_such_reply: None
  /** The last message of a trial conversation is not the customer's. */
  last_not_customers: None
  /** A new message arrived while a reply was being suggested. */
  conversation_went_on: None
}
