import type { ReplyFacts } from '../../facts/replies.ts'
import type { Sentences } from '../sentences.ts'

export const EN_REPLIES: Sentences<ReplyFacts> = {
  reply_sent: () => 'The reply was sent.',
  reply_nothing_to_answer: () => 'There was nothing to answer.',
  reply_flow_has_it: () => 'The customer has begun a flow, so the assistant said nothing.',
  reply_staff_has_it: () => 'Staff has the conversation, so the assistant said nothing.',
  reply_handed_over: () => 'The assistant handed the conversation over.',
  reply_customer_stopped: () => 'The customer stopped all messages.',
  reply_assistant_off: () => 'The assistant is off, or has no model to ask.',
  reply_contact_erased: () => 'The customer was erased.',
  reply_send_unknown: () =>
    'Whether the customer got it is not known: the provider gave no answer. It is not sent again.',
  reply_conversation_joined: () =>
    'The conversation turned out to be with the customer of another one, and goes on there.',
  reply_restored: () =>
    'A backup was restored: what the reply had done since is not known. Somebody of the staff is to answer.',
}
