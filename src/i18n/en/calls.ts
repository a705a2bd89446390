import type { CallFacts } from '../../core/facts/calls.ts'
import { written } from '../counted.ts'
import { inEnglish, moment, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_CALLS: Catalog<CallFacts> = {
  no_such_connection: () => 'No API connection with this ID.',
  no_such_action: () => 'No AI action with this ID.',
  no_such_call_step: () => 'The flow has no “Call your system” step with this ID.',
  connection_changed: () =>
    'Someone else changed this connection while you were editing. Review it before you save.',
  connections_used_up: ({ max }) =>
    `You can have at most ${max} API connections. Delete one first.`,
  connections_not_in_plan: ({ plan }) => `API connections aren’t included in the ${plan} plan.`,
  connection_in_use: ({ flows, actions }) =>
    `This connection is in use by ${[...flows.map((name) => `the flow ${quotedInEnglish(name)}`), ...actions.map((name) => `the AI action ${quotedInEnglish(name)}`)].join(', ')}. Remove it there first.`,
  headers_not_settable: () => 'Some of these headers can’t be set.',
  credential_for_other_server: () =>
    'The base URL now leads to another server. Enter the credential again.',
  path_not_callable: () => 'This path isn’t allowed.',
  actions_used_up: ({ max }) => `You can have at most ${max} AI actions. Delete one first.`,
  actions_not_in_plan: ({ plan }) => `AI actions aren’t included in the ${plan} plan.`,
  action_name_taken: ({ name }) =>
    `There’s already an AI action called ${quotedInEnglish(name)}. Choose another tool name.`,
  action_not_callable: () => 'This action can’t be called yet. Fix the fields below.',
  action_not_testable: () => 'This action can’t be tested with these values.',
  tests_of_calls_a_minute: ({ max, freeAt }) =>
    `You can run ${max} connection and action tests a minute. Try again at ${moment(freeAt)}.`,

  call_connection_deleted: () => 'The connection was deleted. Choose another one.',
  call_connection_off: () => 'The connection is switched off. Switch it on to make calls again.',
  call_credential_unreadable: () =>
    'The saved credential couldn’t be read. Enter it again, or ask the operator of this service.',
  call_not_in_plan: () => 'Calls to your API aren’t included in the plan.',
  call_allowance_used_up: ({ max }) =>
    `Today’s ${written(max)} calls are used up. Calls resume at midnight UTC.`,
  call_no_time_left: ({ seconds }) =>
    `Calls between two customer messages can take ${seconds} s in total, and that time is used up.`,
  call_not_wanted: () => 'The call was cancelled just before it was made.',
  call_path_refused: () => 'This path can’t be called. Edit the request.',
  call_path_value_refused: () =>
    'A value in the path is empty, contains /, \\ or .., or produces a . or .. segment.',
  call_path_too_long: ({ max }) =>
    `With its values filled in, the path and query are longer than ${max} characters.`,
  call_header_refused: ({ max }) =>
    `With its values filled in, a header has a line break, is longer than ${max} characters, or isn’t allowed.`,
  call_body_refused: () =>
    'With its values filled in, the body isn’t a JSON object or array. Edit the request.',
  call_body_too_large: ({ kilobytes }) =>
    `With its values filled in, the body is larger than ${kilobytes} KB.`,
  call_redirected_to: ({ status, origin }) =>
    `The server returned ${status}, a redirect to ${inEnglish(origin)}. Redirects aren’t followed, so use the final URL.`,
  call_redirected_within: ({ status }) =>
    `The server returned ${status}, a redirect to another path on the same server. Redirects aren’t followed, so use the final URL.`,
  call_redirected: ({ status }) =>
    `Your server returned ${status}, a redirect. Redirects aren’t followed, so use the final URL.`,
  call_answered: ({ status }) => `Your server returned ${status}.`,
  call_answer_too_large: ({ kilobytes }) =>
    `The response is larger than ${kilobytes} KB. Request less data.`,
  call_answer_packed: ({ encoding }) =>
    `The response is compressed with ${encoding === null ? 'an unknown encoding' : inEnglish(encoding)} and couldn’t be decompressed. Use gzip, deflate or br, or no compression.`,
}
