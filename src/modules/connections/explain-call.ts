import { fact, type Fact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import type { CallNotMade } from '../../core/vocabulary/calls.ts'

const KB = 1_024

const NOT_MADE: Record<CallNotMade, Fact> = {
  connection_deleted: fact('call_connection_deleted'),
  connection_off: fact('call_connection_off'),
  credential_unreadable: fact('call_credential_unreadable'),
  not_in_plan: fact('call_not_in_plan'),
  allowance_used_up: fact('call_allowance_used_up', { max: CALL_LIMITS.perAccountPerDay }),
  no_time_left: fact('call_no_time_left', { seconds: CALL_LIMITS.inOneGoMs / SECOND_MS }),
  not_wanted: fact('call_not_wanted'),
  path_refused: fact('call_path_refused'),
  path_value_refused: fact('call_path_value_refused'),
  path_too_long: fact('call_path_too_long', { max: CALL_LIMITS.pathAndQueryChars }),
  header_refused: fact('call_header_refused', { max: CALL_LIMITS.headerValueChars }),
  body_refused: fact('call_body_refused'),
  body_too_large: fact('call_body_too_large', { kilobytes: CALL_LIMITS.bodyBytes / KB }),
}

/** Returns the explanation for members why a call was not made, and what to do. */
export function callNotMade(why: CallNotMade): Fact {
  return NOT_MADE[why]
}

/** The detail of a response beyond the size limit. */
export const ANSWER_TOO_LARGE = fact('call_answer_too_large', {
  kilobytes: CALL_LIMITS.answerBytes / KB,
})
