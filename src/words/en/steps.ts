import type { FactParams } from '../../facts/fact.ts'
import type { StepFacts } from '../../facts/steps.ts'
import { counted, written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const INPUTS: Record<FactParams['step_cannot_take']['input'], string> = {
  reply: 'a reply',
  timeout: 'the end of a wait',
  sent: 'a message that was sent',
  send_failed: 'a message that failed',
  called: 'the answer to a call',
  errand_done: 'what came of a booking',
}

export const EN_STEPS: Sentences<StepFacts> = {
  condition_holds: () => 'The condition holds.',
  condition_does_not_hold: () => 'It does not hold.',
  customer_replied: () => 'The customer replied.',
  answer_taken: () => 'The customer answered.',
  no_answer_to_question: ({ times }) =>
    times === 1
      ? 'What the customer wrote is no answer to the question.'
      : `What the customer wrote is no answer to the question, ${counted(times, 'time', 'times')} in a row now.`,
  time_has_passed: () => 'The time has passed.',
  no_opening_hours: () => 'Not waited: the company has no opening hours.',
  is_open: () => 'Not waited: the company is open.',
  branch_holds: ({ branch }) => `Branch ${written(branch)} holds.`,
  no_branch_holds: () => 'No branch holds.',
  visitor_is_no_contact: () => 'Nothing was changed: a visitor of the widget is no contact.',
  field_not_set: ({ key }) =>
    `Nothing was changed: the field ${quotedInEnglish(key)} does not take this value.`,
  note_empty: () => 'No note was left: it would have been empty.',
  no_reply_in_time: () => 'No reply came in time.',
  calls_used_up: ({ most }) =>
    `Not made: a flow makes at most ${counted(most, 'call', 'calls')} between two messages of the customer.`,
  call_time_used_up: ({ seconds }) =>
    `Not made: the calls since the customer's last message took the ${counted(seconds, 'second', 'seconds')} that they may take in all.`,
  no_times_free: () => 'No time is free.',
  appointment_made: ({ reference }) => `Booked: ${inEnglish(reference)}.`,
  time_was_taken: () => 'Somebody else was quicker: other times are offered.',
  too_many_appointments: () =>
    'Not booked: the customer has as many coming appointments as they may have.',
  not_bookable: () => 'Not booked: the service is gone or switched off.',
  appointment_called_off: ({ reference }) => `Cancelled: ${inEnglish(reference)}.`,
  no_appointment_to_cancel: () => 'There was no coming appointment to cancel.',
  step_cannot_take: ({ step, input }) =>
    `The run was at step ${quotedInEnglish(step)}, which cannot take ${INPUTS[input]}.`,
}
