import type { None } from './none.ts'

/** Results of steps, and reasons why a step did nothing. */
export type StepFacts = {
  condition_holds: None
  condition_does_not_hold: None
  customer_replied: None
  no_reply_in_time: None
  answer_taken: None
  /** `times` is the number of consecutive answers without a match. */
  no_answer_to_question: { times: number }
  time_has_passed: None
  /** The company has no opening hours, so the step does not wait for them. */
  no_opening_hours: None
  is_open: None
  /** The number of the branch, from 1. */
  branch_holds: { branch: number }
  no_branch_holds: None
  /** A visitor of the widget has no contact record to change. */
  visitor_is_no_contact: None
  /** The custom field `key` does not take the value, and is as it was. */
  field_not_set: { key: string }
  note_empty: None
  /** A flow makes at most `max` calls between two messages of the customer. */
  calls_used_up: { max: number }
  /** All calls between two messages of the customer take at most this long. */
  call_time_used_up: { seconds: number }
  /** The run's step cannot process the input. */
  step_cannot_take: {
    step: string
    input: 'reply' | 'timeout' | 'sent' | 'send_failed' | 'called' | 'effect_done'
  }
  no_times_free: None
  appointment_made: { reference: string }
  time_was_taken: None
  too_many_appointments: None
  not_bookable: None
  appointment_called_off: { reference: string }
  no_appointment_to_cancel: None
}
