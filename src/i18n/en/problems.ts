import type { ProblemFacts } from '../../core/facts/problems.ts'
import { written } from '../counted.ts'
import { inEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_PROBLEMS: Catalog<ProblemFacts> = {
  fields_wrong: () => 'Some fields are invalid.',
  body_not_json: () => 'The body isn’t valid JSON.',
  body_type_not_json: () => 'Send the body as application/json.',
  body_too_large: ({ max }) => `The body is larger than ${written(max)} bytes.`,
  body_too_deep: ({ max }) =>
    `Lists and objects in the body can be nested at most ${written(max)} levels deep.`,
  body_too_many_values: ({ max }) =>
    `The body can contain at most ${written(max)} values. Send it in several requests.`,
  too_many_bodies: () => 'Too many requests are arriving at once. Try again in a moment.',
  body_too_slow: () => 'The body arrived too slowly. Try again in a moment.',
  nothing_at_address: () => 'There’s nothing at this address.',
  no_rest_api: () => 'The REST API under /v1 isn’t available.',
  no_such_id: () => 'Nothing has this ID.',
  sign_in_first: () => 'Sign in first.',
  needs_role: ({ roles }) => `You need the role ${roles.join(' or ')} to do this.`,
  wrong_origin: ({ origin }) =>
    `This page was opened at a different URL from the service’s own, so it can’t change anything. Open the dashboard at ${inEnglish(origin)} and try again. The operator of this service sets that URL as BASE_URL.`,
  not_same_origin: () =>
    'This request came from a page on another site, so nothing was changed. Open the dashboard itself and try again.',
  origin_missing: ({ origin }) =>
    `When you use a session cookie, also send Origin: ${inEnglish(origin)}. Programs should sign in as "program" and send their token as Authorization: Bearer.`,
  account_on_hold: () =>
    'This account is being moved to another server, so nothing can be changed. Try again later.',
  account_moved: () =>
    'This account has moved to another server. Ask the operator of this service for its new address.',
  database_away: () => 'The database can’t be reached. Try again in a minute.',
  database_busy: () => 'The service is busy. Try again in a moment.',
  fault_of_ours: () =>
    'Something went wrong on our side. Quote the requestId when you contact support.',
}
