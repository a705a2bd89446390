import type { CallFacts } from '../../facts/calls.ts'
import { written } from '../counted.ts'
import { inEnglish, moment, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_CALLS: Sentences<CallFacts> = {
  no_such_connection: () => 'This company has no such connection.',
  no_such_action: () => 'This company has no such action.',
  no_such_call_step: () => 'The flow has no call to your system with this step id.',
  connection_changed: () => 'The connection was changed meanwhile. Look at it again.',
  connections_used_up: ({ most }) => `A company has at most ${most} connections. Delete one first.`,
  connections_not_in_plan: ({ plan }) => `API connections are not part of the ${plan} plan.`,
  connection_in_use: ({ flows, actions }) =>
    `This connection is in use by ${[
      ...flows.map((name) => `the flow ${quotedInEnglish(name)}`),
      ...actions.map((name) => `the AI action ${quotedInEnglish(name)}`),
    ].join(', ')}. Take it out there first.`,
  headers_not_settable: () => 'Some headers cannot be set.',
  credential_for_other_server: () => 'Another server needs the credential again.',
  path_not_callable: () => 'The path cannot be called.',
  actions_used_up: ({ most }) => `A company has at most ${most} AI actions. Delete one first.`,
  actions_not_in_plan: ({ plan }) => `AI actions are not part of the ${plan} plan.`,
  action_name_taken: ({ name }) =>
    `The company has an action ${quotedInEnglish(name)} already. Choose another tool name.`,
  action_not_callable: () => 'The action cannot be called like this.',
  action_not_testable: () => 'The action cannot be tested like this.',
  tests_of_calls_a_minute: ({ most, freeAt }) =>
    `An account has ${most} tests of calls a minute. Try again from ${moment(freeAt)}.`,

  call_connection_deleted: () => 'The connection has been deleted. Choose another one.',
  call_connection_off: () => 'The connection is switched off. Switch it on to call again.',
  call_credential_unreadable: () =>
    'The stored credential could not be read here. Enter it again, or ask who runs the service.',
  call_not_in_plan: () => 'Calls to your API are not part of the plan.',
  call_allowance_used_up: ({ most }) =>
    `The ${written(most)} calls of this day (UTC) are used up. Calls are made again from midnight UTC.`,
  call_no_time_left: ({ seconds }) =>
    `The ${seconds} s for calls between two customer messages are used up.`,
  call_not_wanted: () => 'The call was called off right before it was made.',
  call_path_refused: () => 'The path is not one that can be called. Edit the request.',
  call_path_value_refused: () =>
    'A value in the path is empty, or has /, \\ or .. in it, or makes a . or .. segment.',
  call_path_too_long: ({ most }) =>
    `Path and query have more than ${most} characters once filled in.`,
  call_header_refused: ({ most }) =>
    `A header has a line break or more than ${most} characters once filled in, or cannot be set.`,
  call_body_refused: () =>
    'The body is not a JSON object or array once filled in. Edit the request.',
  call_body_too_large: ({ kilobytes }) => `The body has more than ${kilobytes} KB once filled in.`,
  call_redirected_to: ({ status, origin }) =>
    `The server answered ${status}, a redirect to ${inEnglish(origin)}. Redirects are not followed: use the final URL.`,
  call_redirected_within: ({ status }) =>
    `The server answered ${status}, a redirect to another path of the same server. Redirects are not followed: use the final URL.`,
  call_redirected: ({ status }) =>
    `The server answered ${status}, a redirect. Redirects are not followed: use the final URL.`,
  call_answered: ({ status }) => `The server answered ${status}.`,
  call_answer_too_large: ({ kilobytes }) =>
    `The answer has more than ${kilobytes} KB. Ask for less.`,
  call_answer_packed: ({ encoding }) =>
    `The answer is compressed as ${encoding === null ? 'an unknown encoding' : inEnglish(encoding)} and could not be unpacked. Send it as gzip, deflate or br, or as it is.`,
}
