import type { FactParams } from '../../core/facts/fact.ts'
import type { StepFacts } from '../../core/facts/steps.ts'
import { counted, written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const INPUTS: Record<FactParams['step_cannot_take']['input'], string> = {
  reply: 'a reply',
  timeout: 'the end of a wait',
  sent: 'a message that was sent',
  send_failed: 'a message that failed to send',
  called: 'the response to a call',
  effect_done: 'the result of a booking',
}

export const EN_STEPS: Catalog<StepFacts> = {
  condition_holds: () => 'Condition met.',
  condition_does_not_hold: () => 'Condition not met.',
  customer_replied: () => 'The customer replied.',
  answer_taken: () => 'The customer answered.',
  no_answer_to_question: ({ times }) =>
    times === 1
      ? 'The customer’s reply isn’t a valid answer.'
      : `The customer’s reply isn’t a valid answer (${written(times)} in a row).`,
  time_has_passed: () => 'The wait has ended.',
  no_opening_hours: () => 'Didn’t wait: no opening hours are set.',
  is_open: () => 'Didn’t wait: it’s within opening hours.',
  branch_holds: ({ branch }) => `Branch ${written(branch)} matched.`,
  no_branch_holds: () => 'No branch matched.',
  visitor_is_no_contact: () => 'Nothing was changed: website visitors aren’t contacts.',
  field_not_set: ({ key }) =>
    `Nothing was changed: the field ${quotedInEnglish(key)} doesn’t accept this value.`,
  note_empty: () => 'No note was added because it would have been empty.',
  no_reply_in_time: () => 'No reply came in time.',
  calls_used_up: ({ max }) =>
    `Not made: a flow can make at most ${counted(max, 'call', 'calls')} between two customer messages.`,
  call_time_used_up: ({ seconds }) =>
    `Not made: calls since the customer’s last message used up the ${counted(seconds, 'second', 'seconds')} they can take in total.`,
  no_times_free: () => 'No times available.',
  appointment_made: ({ reference }) => `Booked: ${inEnglish(reference)}.`,
  time_was_taken: () => 'Someone else booked that time first, so other times are offered.',
  too_many_appointments: () =>
    'Not booked: the customer already has the maximum number of upcoming appointments.',
  not_bookable: () => 'Not booked: the service was deleted or is switched off.',
  appointment_called_off: ({ reference }) => `Cancelled: ${inEnglish(reference)}.`,
  no_appointment_to_cancel: () => 'There was no upcoming appointment to cancel.',
  step_cannot_take: ({ step, input }) =>
    `The run was at step ${quotedInEnglish(step)}, which doesn’t accept ${INPUTS[input]}.`,
}
