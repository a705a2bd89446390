import type { None } from './none.ts'

/** Reasons why a reply of the assistant ended. */
export type ReplyFacts = {
  reply_sent: None
  reply_nothing_to_answer: None
  reply_flow_has_it: None
  reply_staff_has_it: None
  reply_handed_over: None
  reply_customer_stopped: None
  reply_assistant_off: None
  reply_contact_erased: None
  reply_send_unknown: None
  /** The conversation was joined with another one of the same customer, and continues there. */
  reply_conversation_joined: None
  reply_restored: None
}
