import type { None } from './none.ts'

/** What is wrong with what members tell the assistant. */
export type AssistantSetupFacts = {
  /** Somebody else saved it meanwhile. */
  assistant_changed: None
  no_such_reply: None
}
