import type { Role } from '../vocabulary/accounts.ts'
import type { None } from './none.ts'

/** Reasons why a request is refused before any module is called. */
export type ProblemFacts = {
  fields_wrong: None
  body_not_json: None
  body_type_not_json: None
  body_too_large: { max: number }
  body_too_deep: { max: number }
  body_too_many_values: { max: number }
  too_many_bodies: None
  body_too_slow: None
  nothing_at_address: None
  no_rest_api: None
  no_such_id: None
  sign_in_first: None
  /** The member needs one of `roles`. */
  needs_role: { roles: Role[] }
  wrong_origin: { origin: string }
  not_same_origin: None
  origin_missing: { origin: string }
  account_on_hold: None
  account_moved: None
  database_away: None
  database_busy: None
  fault_of_ours: None
}
