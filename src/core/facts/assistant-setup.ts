import type { None } from './none.ts'

/** What is wrong with what members tell the assistant. */
export type AssistantSetupFacts = {
  /** Somebody else saved it meanwhile. */
  assistant_changed: None
  /** No model of the account, or the operator's, can. */
  no_model_hears: None
  no_model_sees: None
  no_such_reply: None
  /** Of a talk that is tried out. */
  last_not_customers: None
  /** Somebody wrote while a reply was being suggested. */
  conversation_went_on: None
}
