import { CALL_LIMITS } from '../limits.ts'
import type { CallNotMade } from '../vocabulary.ts'

const KB = 1_024

/** Why a call was not made, and what to do, for a person. */
export const CALL_NOT_MADE: Record<CallNotMade, string> = {
  connection_deleted: 'The connection has been deleted. Choose another one.',
  connection_off: 'The connection is switched off. Switch it on to call again.',
  credential_unreadable:
    'The stored credential could not be read here. Enter it again, or ask who runs the service.',
  not_in_plan: 'Calls to your API are not part of the plan.',
  allowance_used_up: `The ${CALL_LIMITS.perAccountPerDay.toLocaleString('en')} calls of this day (UTC) are used up. Calls are made again from midnight UTC.`,
  no_time_left: `The ${CALL_LIMITS.inOneGoMs / 1_000} s for calls between two customer messages are used up.`,
  not_wanted: 'The call was called off right before it was made.',
  path_refused: 'The path is not one that can be called. Edit the request.',
  path_value_refused:
    'A value in the path is empty, or has /, \\ or .. in it, or makes a . or .. segment.',
  path_too_long: `Path and query have more than ${CALL_LIMITS.pathAndQueryChars} characters once filled in.`,
  header_refused: `A header has a line break or more than ${CALL_LIMITS.headerValueChars} characters once filled in, or cannot be set.`,
  body_refused: 'The body is not a JSON object or array once filled in. Edit the request.',
  body_too_large: `The body has more than ${CALL_LIMITS.bodyBytes / KB} KB once filled in.`,
}

export const ANSWER_TOO_LARGE = `The answer has more than ${CALL_LIMITS.answerBytes / KB} KB. Ask for less.`
export const answerPacked = (packed: string): string =>
  `The answer is compressed as ${packed} and could not be unpacked. Send it as gzip, deflate or br, or as it is.`
