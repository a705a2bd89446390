import type { FieldFacts, FieldType, Unit } from '../../core/facts/fields.ts'
import { written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const TYPES: Record<FieldType, string> = {
  string: 'a string',
  number: 'a number',
  whole_number: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
  date: 'a date',
  other: 'a different type',
}

/** `must have at least 3 items`, `1 item`; a number `must be at least 3`. */
const bound = (which: 'at least' | 'at most', limit: number, unit: Unit): string => {
  if (unit === 'number') return `must be ${which} ${limit}`
  return `must have ${which} ${limit} ${limit === 1 ? unit.replace(/s$/, '') : unit}`
}

/** Messages that follow the field's name. */
export const EN_FIELDS: Catalog<FieldFacts> = {
  missing: () => 'is required',
  unknown_field: () => 'isn’t a known field',
  wrong_type: ({ type }) => `must be ${TYPES[type]}`,
  too_small: ({ min, unit }) => bound('at least', min, unit),
  too_big: ({ max, unit }) => bound('at most', max, unit),
  too_short: ({ min, max, count }) => `must be ${min} to ${max} characters long, not ${count}`,
  too_long: ({ min, max, count }) => `must be ${min} to ${max} characters long, not ${count}`,
  wrong_length: ({ min, max }) => `must be ${min} to ${max} characters long`,
  not_a_choice: ({ choices }) =>
    `must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`,
  no_known_form: () => 'doesn’t match any of the supported formats',
  not_a_multiple: ({ of }) => `must be a multiple of ${of}`,
  wrong: () => 'is invalid',
  wrong_email: () => 'must be an email address such as name@example.com',
  wrong_url: () => 'must be a URL',
  wrong_id: () => 'must be an ID',
  wrong_time: () => 'must be a time such as 2026-11-21T09:00:00Z',
  wrong_event_id: () => 'must be evt_ followed by 32 hex characters, as in the envelope',
  wrong_cursor: () => 'must be the nextCursor of a previous page',
  wrong_step_id: () => 'must be 1 to 64 letters, digits, _ or -',
  wrong_contact_field_key: () =>
    'must start with a lower-case letter and contain only lower-case letters, digits and _, up to 40 characters',
  wrong_wall_time: () => 'must be a time of day such as 09:00, up to 24:00',
  wrong_time_zone: () => 'must be an IANA time zone name, such as Asia/Riyadh',
  opening_ends_before_it_begins: () => 'must end after it starts',
  openings_overlap: () =>
    'must not overlap other hours of the week. Start when they end, or combine them',
  password_common: () =>
    'is easy to guess. Avoid common words, names, keyboard rows and years, and use several words that don’t usually go together',
  wrong_variable_name: () => 'must start with a letter or _ and contain only letters, digits and _',
  wrong_tool_name: () => 'must start with a lower-case letter and contain only a–z, 0–9 and _',
  wrong_bot_token: () =>
    'must be the token from BotFather: digits, a colon, then letters and digits',
  wrong_webhook_secret: () => 'must contain only letters A to Z, digits, _ and -',
  wrong_provider_id: () => 'must be the number shown by WhatsApp, digits only',
  wrong_phone_digits: () => 'must be digits only, starting with the country code, without +',
  wrong_country: () => 'must be a two-letter country code, such as SA',
  has_nul: () => 'must not contain NUL characters (%00)',
  not_printable: () => 'must contain only ASCII characters, without spaces or line breaks',
  value_twice: () => 'must not contain the same value twice',
  code_wrong: () => 'is incorrect or has already been used',

  label_taken: () => 'is already used as the label of another field',
  kept_name_taken: () => 'is already used as the name of another saved value',
  parameter_name_taken: () => 'is already used as the name of another parameter',
  kept_name_reserved: () => 'is reserved for the response’s status code. Choose another name',

  unknown_step: ({ step }) => `refers to a step that doesn’t exist: ${quotedInEnglish(step)}`,
  unknown_connection: () => 'isn’t an API connection of this company',
  unknown_channel: () => 'isn’t a channel of this company',
  contact_or_phone: () => 'is required: send either contactId or phone, not both',
  unknown_contact: () => 'isn’t a contact of this company',
  credential_needed_again: () =>
    'must be entered again, because the base URL now leads to another server',
  country_needed: () => 'is required, because it can’t be read from the number',
  channel_taken: () => 'belong to a channel that’s already connected',
  channel_secret_needed_again: () =>
    'must be entered again when the channel’s identity at the provider changes',
  type_without_channels: () => 'isn’t a channel type that can be connected',
  customer_needed: () =>
    'is required unless you send contactId, because the action is about the customer',
  contact_without: ({ what }) => `has no ${what}. Choose another contact`,
  invalid_phone: () => 'must be a phone number with its country code',

  secret_too_long: ({ max }) => `must be at most ${max} characters long`,
  pair_too_long: ({ max }) => `and the username must be at most ${max} characters long together`,
  username_wrong: () => 'must not be empty or contain a colon',
  control_character: () => 'contains a line break or another control character',
  not_ascii: () => 'contains a character that isn’t allowed in a header. Use ASCII only',

  path_empty: () => 'is empty. Enter at least one name or position, such as order.id',
  path_too_long: ({ max }) => `is longer than ${max} characters`,
  path_too_many_steps: ({ max }) => `has more than ${max} steps`,
  path_space: () => 'contains a space. Keys with spaces can’t be used in a path',
  path_empty_name: () => 'has an empty name: two dots in a row, or a dot at the start or end',
  path_bad_bracket: () => 'has a bracket that’s misplaced or not closed. Example: items[0].name',
  path_bad_position: () => 'must have a position between brackets, in digits, such as [0]',

  url_empty: () => 'is required. Enter a URL that starts with https://',
  url_too_long: ({ max }) => `must be at most ${max} characters long`,
  url_bad_character: () => 'contains a space, backslash or control character. Percent-encode it',
  url_not_https: () => 'must start with https://',
  url_userinfo: () => 'must not contain a username or password',
  url_query: () => 'must not have a query (the part after ?)',
  url_fragment: () => 'must not have a fragment (the part after #)',
  url_dot_segment: () => 'must not have . or .. as a path segment',
  url_invalid: () => 'isn’t a valid URL. Check the host name and port',
  url_port: () =>
    'uses a port that’s blocked because it belongs to another kind of service. Use 443 if you can',
  url_ip_spelling: () =>
    'has an IP address in an unusual format. Write it as four numbers, such as 203.0.113.7',
  url_address: () =>
    'leads to an address that isn’t public. It must be reachable from the internet',
  url_no_dot: () => 'needs a host name with a dot, such as shop.example.com',
  url_host: () => 'has a host name that can’t be used',
  url_suffix: () => 'has a host name from a private network. Use a public one',
  url_not_found: () =>
    'has a host name that couldn’t be resolved. Check its spelling and DNS records, and try again',

  no_slash: () => 'must start with /',
  two_slashes: () => 'must start with a single /',
  query: () => 'must not have a query. Add query parameters separately',
  fragment: () => 'must not contain #',
  bad_character: () => 'contains a backslash or a control character',
  dot_segment: () => 'must not have . or .. as a segment',
  broken_placeholder: () => 'contains {{ but no complete placeholder such as {{vars.name}}',
  unknown_placeholder: ({ placeholder }) =>
    `has the placeholder {{${inEnglish(placeholder)}}}, which isn’t available here`,
  placeholder_in_name: () => 'has a placeholder in a name. Placeholders work only in values',
  placeholder_outside_quotes: () => 'has a placeholder outside quotes. Write "{{vars.name}}"',
  not_json: () => 'isn’t valid JSON',
  not_a_container: () => 'must be a JSON object or array',
  too_large: ({ max }) => `must be at most ${written(max)} bytes`,
  no_body: ({ method }) => `must be empty, because ${method} requests have no body`,
  bad_name_character: () => 'contains a character that isn’t allowed in a header name',
  not_settable: () => 'can’t be set. The service sets this header itself or never sends it',
  twice: () => 'is listed twice',
  parameter_not_used: ({ name }) =>
    `isn’t used. Write {{args.${name}}} in the request, or remove the parameter`,
  names_customer: () =>
    'asks who the customer is. Choose what identifies the customer and use {{identity}} instead',
  no_identity: () => 'needs the customer’s value. Choose what identifies the customer',
  identity_not_used: () =>
    'isn’t used. Write {{identity}} in the request, set an ownership check, or choose “Not about the customer”',
}
