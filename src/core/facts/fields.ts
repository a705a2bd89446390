import type { None } from './none.ts'

/** Units of a limit. */
export type Unit = 'characters' | 'bytes' | 'items' | 'fields' | 'steps' | 'variables' | 'number'

/** The types of JSON as error messages name them. */
export type FieldType =
  | 'string'
  | 'number'
  | 'whole_number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'null'
  | 'date'
  | 'other'

/** The rule that one field of a request breaks. The sentence continues after the field's name. */
export type FieldFacts = {
  missing: None
  unknown_field: None
  wrong_type: { type: FieldType }
  too_small: { min: number; unit: Unit }
  too_big: { max: number; unit: Unit }
  too_short: { min: number; max: number; count: number }
  too_long: { min: number; max: number; count: number }
  wrong_length: { min: number; max: number }
  not_a_choice: { choices: string[] }
  no_known_form: None
  not_a_multiple: { of: number }
  wrong: None
  wrong_email: None
  wrong_url: None
  wrong_id: None
  wrong_time: None
  wrong_event_id: None
  wrong_cursor: None
  wrong_step_id: None
  wrong_variable_name: None
  wrong_contact_field_key: None
  wrong_wall_time: None
  wrong_time_zone: None
  opening_ends_before_it_begins: None
  openings_overlap: None
  password_common: None
  wrong_tool_name: None
  wrong_provider_id: None
  wrong_bot_token: None
  wrong_webhook_secret: None
  wrong_phone_digits: None
  wrong_country: None
  has_nul: None
  not_printable: None
  value_twice: None
  /** The code of a second factor is wrong. */
  code_wrong: None

  /** A name that an earlier item has already. */
  label_taken: None
  kept_name_taken: None
  parameter_name_taken: None
  kept_name_reserved: None

  unknown_step: { step: string }
  unknown_connection: None
  unknown_channel: None
  unknown_contact: None
  /** Exactly one of `contactId` and `phone` names the customer. */
  contact_or_phone: None
  credential_needed_again: None
  country_needed: None
  channel_taken: None
  channel_secret_needed_again: None
  type_without_channels: None
  customer_needed: None
  contact_without: { what: 'phone' | 'email' | 'contact_id' }
  invalid_phone: None

  secret_too_long: { max: number }
  pair_too_long: { max: number }
  username_wrong: None
  control_character: None
  not_ascii: None
} & PathFacts &
  UrlFacts &
  RequestFacts

/** Reasons why a path expression is invalid. */
type PathFacts = {
  path_empty: None
  path_too_long: { max: number }
  path_too_many_steps: { max: number }
  path_space: None
  path_empty_name: None
  path_bad_bracket: None
  path_bad_position: None
}

/** Reasons why a merchant's URL is refused. */
type UrlFacts = {
  url_empty: None
  url_too_long: { max: number }
  url_bad_character: None
  url_not_https: None
  url_userinfo: None
  url_query: None
  url_fragment: None
  url_dot_segment: None
  url_invalid: None
  url_port: None
  url_ip_spelling: None
  url_address: None
  url_no_dot: None
  url_host: None
  url_suffix: None
  url_not_found: None
}

/** Reasons why the design of a request to a merchant's API is refused. */
type RequestFacts = {
  no_slash: None
  two_slashes: None
  query: None
  fragment: None
  bad_character: None
  dot_segment: None
  broken_placeholder: None
  unknown_placeholder: { placeholder: string }
  placeholder_in_name: None
  placeholder_outside_quotes: None
  not_json: None
  not_a_container: None
  too_large: { max: number }
  no_body: { method: string }
  bad_name_character: None
  not_settable: None
  twice: None
  parameter_not_used: { name: string }
  names_customer: None
  no_identity: None
  identity_not_used: None
}
