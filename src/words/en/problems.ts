import type { ProblemFacts } from '../../facts/problems.ts'
import { written } from '../counted.ts'
import { inEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_PROBLEMS: Sentences<ProblemFacts> = {
  fields_wrong: () => 'Some fields are not as they must be.',
  body_not_json: () => 'The body is not JSON.',
  body_type_not_json: () => 'Send the body as application/json.',
  body_too_large: ({ most }) => `The body is larger than ${written(most)} bytes.`,
  body_too_deep: ({ most }) =>
    `Lists and objects in the body are nested more than ${written(most)} deep.`,
  body_too_many_values: ({ most }) =>
    `The body has more than ${written(most)} values. Send it in several requests.`,
  too_many_bodies: () => 'Too many bodies are arriving. Try again in a moment.',
  body_too_slow: () => 'The body came in too slowly. Try again in a moment.',
  nothing_at_address: () => 'Nothing is served at this address.',
  no_rest_api: () => 'The REST API under /v1 is not available.',
  no_such_id: () => 'Nothing here has this id.',
  sign_in_first: () => 'Sign in first.',
  needs_role: ({ roles }) => `This needs the role ${roles.join(' or ')}.`,
  wrong_origin: ({ origin }) =>
    `This page was opened at another address than the one of the service, so it may change nothing. Open the dashboard at ${inEnglish(origin)} and try again. Whoever runs the service sets that address as BASE_URL.`,
  not_same_origin: () =>
    'A page of another site sent this, so nothing was changed. Open the dashboard itself and try again.',
  origin_missing: ({ origin }) =>
    `With a session cookie, send Origin: ${inEnglish(origin)} too. A program signs in as "program" and sends its token as Authorization: Bearer.`,
  database_away: () => 'Try again in a minute.',
  database_busy: () => 'Too much is being done at the same time. Try again in a moment.',
  fault_of_ours: () => 'Tell us the requestId and we can look it up.',
}
