import type { FieldFacts, FieldType, Unit } from '../../facts/fields.ts'
import { written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const TYPES: Record<FieldType, string> = {
  string: 'a string',
  number: 'a number',
  whole_number: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
  date: 'a date',
  other: 'of another type',
}

/** `must have at least 3 items`, `1 item`; a number `must be at least 3`. */
const bound = (which: 'at least' | 'at most', limit: number, unit: Unit): string => {
  if (unit === 'number') return `must be ${which} ${limit}`
  return `must have ${which} ${limit} ${limit === 1 ? unit.replace(/s$/, '') : unit}`
}

/** Each goes on after the field's name. */
export const EN_FIELDS: Sentences<FieldFacts> = {
  missing: () => 'is needed',
  unknown_field: () => 'is not a field of this request',
  wrong_type: ({ type }) => `must be ${TYPES[type]}`,
  too_small: ({ least, unit }) => bound('at least', least, unit),
  too_big: ({ most, unit }) => bound('at most', most, unit),
  too_short: ({ least, most, count }) =>
    `must have from ${least} to ${most} characters, not ${count}`,
  too_long: ({ least, most, count }) =>
    `must have from ${least} to ${most} characters, not ${count}`,
  wrong_length: ({ least, most }) => `must have from ${least} to ${most} characters`,
  not_a_choice: ({ choices }) =>
    `must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`,
  no_known_form: () => 'has none of the forms that are known here',
  not_a_multiple: ({ of }) => `must be a multiple of ${of}`,
  wrong: () => 'is not as it must be',
  wrong_email: () => 'must be an e-mail address such as name@example.com',
  wrong_url: () => 'must be a URL',
  wrong_id: () => 'must be an id',
  wrong_time: () => 'must be a time such as 2026-11-21T09:00:00Z',
  wrong_event_id: () => 'must be evt_ and 32 hex characters, as in the envelope',
  wrong_cursor: () => 'must be the nextCursor of an earlier page',
  wrong_step_id: () => 'must have 1 to 64 letters, digits, _ and -',
  wrong_contact_field_key: () =>
    'must start with a small letter and have small letters, digits and _ only, 40 at most',
  wrong_wall_time: () => 'must be a time of the day such as 09:00, up to 24:00',
  wrong_time_zone: () => 'must be a time zone by its IANA name, such as Asia/Riyadh',
  opening_ends_before_it_begins: () => 'must end after it begins',
  openings_overlap: () =>
    'must not overlap other hours of the week: begin when they end, or make them one',
  password_common: () =>
    'is one that is guessed first: common words, names, rows of keys and years. Use several words that nobody would put together',
  wrong_variable_name: () => 'must start with a letter or _ and have letters, digits and _ only',
  wrong_tool_name: () => 'must start with a lower-case letter and have a-z, 0-9 and _ only',
  wrong_bot_token: () =>
    'must be the token that BotFather gave: digits, a colon, then letters and digits',
  wrong_webhook_secret: () => 'must be of letters A to Z, digits, _ and - only',
  wrong_provider_id: () => 'must be the digits that WhatsApp shows',
  wrong_phone_digits: () => 'must be digits with the country code and without +',
  wrong_country: () => 'must be the two letters of a country, such as SA',
  has_nul: () => 'must have no NUL character (%00)',
  not_printable: () => 'must have no spaces, line breaks or letters beyond ASCII',
  value_twice: () => 'must not have the same value twice',
  code_wrong: () => 'is wrong, or was used already',

  label_taken: () => 'is the label of an earlier field already',
  kept_name_taken: () => 'is the name of an earlier value already',
  parameter_name_taken: () => 'is the name of an earlier parameter already',
  kept_name_reserved: () =>
    'is set by every call to the status code of the answer: choose another name',

  unknown_step: ({ step }) => `names a step that is not there: ${quotedInEnglish(step)}`,
  unknown_connection: () => 'is no API connection of this company',
  unknown_channel: () => 'is no channel of this company',
  contact_or_phone: () => 'must be given: either contactId or phone, and not both',
  unknown_contact: () => 'is no contact of this company',
  credential_needed_again: () => 'is needed again: the base URL leads to another server',
  country_needed: () => 'is needed: the number does not tell it',
  channel_taken: () => 'are of a connected channel',
  channel_secret_needed_again: () =>
    'is needed again where the provider knows the channel by another name',
  type_without_channels: () => 'is of no channel that can be connected',
  customer_needed: () => 'is needed, or contactId: the action is about the customer',
  contact_without: ({ what }) => `has no ${what}: choose another contact`,
  invalid_phone: () => 'must be a phone number with its country code',

  secret_too_long: ({ most }) => `must have at most ${most} characters`,
  pair_too_long: ({ most }) => `must have at most ${most} characters together with the user name`,
  username_wrong: () => 'must not be empty or have a colon',
  control_character: () => 'has a line break or another control character',
  not_ascii: () => 'has a character that a header cannot carry: only those of ASCII can be used',

  path_empty: () => 'names nothing: write at least one name or position, such as order.id',
  path_too_long: ({ most }) => `has more than ${most} characters`,
  path_too_many_steps: ({ most }) => `has more than ${most} steps`,
  path_space: () => 'has a space: a key with one cannot be reached',
  path_empty_name: () => 'lacks a name: there are two dots in a row, or one at an end',
  path_bad_bracket: () =>
    'has a bracket that is not closed or in the wrong place: write items[0].name',
  path_bad_position: () =>
    'has something else than a position between brackets: write digits, such as [0]',

  url_empty: () => 'is needed: write one that begins with https://',
  url_too_long: ({ most }) => `must have at most ${most} characters`,
  url_bad_character: () =>
    'has a space, a backslash or a control character: write them percent-encoded',
  url_not_https: () => 'must begin with https://',
  url_userinfo: () => 'must not have a user name or a password in it',
  url_query: () => 'must not have a query (what follows ?)',
  url_fragment: () => 'must not have a fragment (what follows #)',
  url_dot_segment: () => 'must not have . or .. as a part of its path',
  url_invalid: () => 'is no URL: look at its host name and port',
  url_port: () =>
    'has a port that browsers refuse, as another kind of service listens there: 443 is the usual one',
  url_ip_spelling: () =>
    'has an address in an unusual spelling: write it as four numbers, such as 203.0.113.7',
  url_address: () =>
    'leads to an address that is not public: it must be reachable from the Internet',
  url_no_dot: () => 'needs a host name with a dot in it, such as shop.example.com',
  url_host: () => 'has a host name that cannot be used',
  url_suffix: () => 'has a host name of a private network: it must be a public one',
  url_not_found: () =>
    'has a host name that could not be looked up: check its spelling and its DNS records, and try again',

  no_slash: () => 'must start with /',
  two_slashes: () => 'must start with one / only',
  query: () => 'must have no query: give query parameters of their own',
  fragment: () => 'must have no #',
  bad_character: () => 'has a backslash or a control character',
  dot_segment: () => 'must have no . or .. segment',
  broken_placeholder: () => 'has {{ without a placeholder such as {{vars.name}}',
  unknown_placeholder: ({ placeholder }) =>
    `has the placeholder {{${inEnglish(placeholder)}}}, which nothing fills here`,
  placeholder_in_name: () => 'has a placeholder in a name: only values can have one',
  placeholder_outside_quotes: () => 'has a placeholder outside quotes: write "{{vars.name}}"',
  not_json: () => 'is not JSON',
  not_a_container: () => 'must be a JSON object or array',
  too_large: ({ most }) => `must have at most ${written(most)} bytes`,
  no_body: ({ method }) => `must be empty: a ${method} request has no body`,
  bad_name_character: () => 'has a character that a header name cannot have',
  not_settable: () => 'cannot be set: the service writes this header itself, or never sends it',
  twice: () => 'is there twice',
  parameter_not_used: ({ name }) =>
    `is used nowhere: write {{args.${name}}} in the request, or remove it`,
  names_customer: () =>
    'asks who the customer is: choose what the action knows the customer by and write {{identity}}',
  no_identity: () => 'needs the customer’s value: choose what the action knows the customer by',
  identity_not_used: () =>
    'is used nowhere: write {{identity}} in the request, give an ownership check, or choose none',
}
