import type { CallNotMade } from '../vocabulary/calls.ts'
import type { None } from './none.ts'

/** Refusals of a call with the limit that it exceeds. */
type CallLimitFacts = {
  call_allowance_used_up: { max: number }
  call_no_time_left: { seconds: number }
  call_path_too_long: { max: number }
  call_header_refused: { max: number }
  call_body_too_large: { kilobytes: number }
}

/** Refusals of changes to connections and AI actions, and results of calls to a merchant's API. */
export type CallFacts = {
  no_such_connection: None
  no_such_action: None
  no_such_call_step: None
  connection_changed: None
  connections_used_up: { max: number }
  connections_not_in_plan: { plan: string }
  connection_in_use: { flows: string[]; actions: string[]; more: number }
  headers_not_settable: None
  credential_for_other_server: None
  path_not_callable: None
  actions_used_up: { max: number }
  actions_not_in_plan: { plan: string }
  action_name_taken: { name: string }
  action_not_callable: None
  action_not_testable: None
  tests_of_calls_a_minute: { max: number; freeAt: string }

  /** The redirect's target cannot be parsed. */
  call_redirected: { status: number }
  call_redirected_to: { status: number; origin: string }
  call_redirected_within: { status: number }
  call_answered: { status: number }
  call_answer_too_large: { kilobytes: number }
  /** The answer's encoding; null when its name is not one that may be shown. */
  call_answer_packed: { encoding: string | null }
} & CallLimitFacts & {
    [Why in CallNotMade as `call_${Why}` extends keyof CallLimitFacts ? never : `call_${Why}`]: None
  }
