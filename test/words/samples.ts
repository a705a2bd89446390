/**
 * Parameters for every code that has some, by the compiler: a code that is added is told in a test with
 * names in both directions, with each word of a list and with numbers that ask for each Arabic form.
 */
import type { FactCode, FactParams } from '../../src/facts/fact.ts'
import { BROADCAST_STATES, SKIP_REASONS } from '../../src/vocabulary/broadcasts.ts'
import { MEDIA_KINDS } from '../../src/vocabulary/files.ts'
import type { None } from '../../src/facts/none.ts'

type WithParams = { [Code in FactCode]: FactParams[Code] extends None ? never : Code }[FactCode]
type Samples = { [Code in WithParams]: readonly [FactParams[Code], ...FactParams[Code][]] }

const ARABIC = 'متجر سارة'
const LATIN = 'Order-7'
const NUMBERS = [1, 2, 3, 11, 100, 1_284]
const TIME = '2026-11-21T09:05:00.000Z'

const each = <Value, Params>(
  values: readonly Value[],
  params: (value: Value) => Params,
): [Params, ...Params[]] => values.map(params) as [Params, ...Params[]]
const most = each(NUMBERS, (number) => ({ most: number }))
const seconds = each(NUMBERS, (number) => ({ seconds: number }))
const kilobytes = each(NUMBERS, (number) => ({ kilobytes: number }))
const status = each([302, 404, 503], (number) => ({ status: number }))
const plan = each(['free', 'starter', 'pro', 'business'] as const, (name) => ({ plan: name }))
const fault = each(['EPROTO', ARABIC], (text) => ({ fault: text }))
const said = each(['Invalid token', ARABIC], (text) => ({ said: text, providerCode: '190' }))
const path = each(['order.id', ARABIC], (text) => ({ path: text }))

export const SAMPLES: Samples = {
  // Requests and accounts.
  body_too_large: most,
  needs_role: [{ roles: ['owner'] }, { roles: ['owner', 'admin', 'agent'] }],
  wrong_origin: [{ origin: 'https://wasla.example' }],
  origin_missing: [{ origin: 'https://wasla.example' }],
  no_such_account: [{ account: LATIN }],
  invitations_a_minute: most,
  too_many_tries: each(NUMBERS, (minutes) => ({ minutes })),
  sign_in_code_wrong: each([0, ...NUMBERS], (left) => ({ left })),
  second_factor_off: [{ email: 'sara@example.com' }],
  email_known: [{ email: 'sara@example.com' }],
  email_unknown: [
    { email: 'sara@example.com', account: null },
    { email: 'sara@example.com', account: LATIN },
  ],
  email_believed_in: [{ email: 'sara@example.com', accounts: [LATIN, ARABIC] }],

  // Numbers linked by QR code.
  qr_bridge_away: fault,
  qr_connecting: [{ code: '428' }],
  qr_other_number: [{ number: '+966500000001' }],
  qr_number_taken: [{ number: '+966500000001' }],

  // The inbox.
  conversation_moved_on: [
    { turn: 7, status: 'open', handledBy: 'staff', assigneeId: null, assignee: null },
    { turn: 7, status: 'open', handledBy: 'assistant', assigneeId: null, assignee: null },
    { turn: 7, status: 'open', handledBy: 'staff', assigneeId: 'x', assignee: ARABIC },
    { turn: 7, status: 'open', handledBy: 'staff', assigneeId: 'x', assignee: LATIN },
    { turn: 7, status: 'resolved', handledBy: 'assistant', assigneeId: null, assignee: null },
  ],
  placeholder_left: [{ placeholder: 'contact.name' }],
  message_not_queued: [{ status: 'sending' }],
  shortcut_taken: each([ARABIC, LATIN], (shortcut) => ({ shortcut })),
  canned_replies_full: most,
  close_job_over: each(['done', 'cancelled', 'running'], (state) => ({ state })),
  // Broadcasts.
  broadcast_is: each(BROADCAST_STATES, (state) => ({ state })),
  too_many_broadcasts: most,
  opt_out_needed: each([LATIN, ARABIC], (template) => ({ template })),
  broadcast_placeholder_unknown: each(['name', ARABIC], (placeholder) => ({ placeholder })),
  broadcast_pace_too_high: most,
  send_at_too_far: each(NUMBERS, (days) => ({ days })),
  recipient_skipped: each(SKIP_REASONS, (reason) => ({ reason })),
  placeholder_empty: [{ placeholder: 'contact.name' }],
  broadcast_refused: [{ why: { code: 'provider_refused', params: said[0] } }],
  broadcast_failing: most,
  template_recategorised: [{ template: 'offer', language: 'ar', was: 'UTILITY', is: 'MARKETING' }],
  // Leads.
  lead_is_closed: each(['won', 'lost'] as const, (lead) => ({ status: lead })),
  customer_has_lead: [{ leadId: '019e0000-0000-7000-8000-000000000000' }],
  // What can be booked.
  too_many_services: most,
  too_many_resources: most,
  too_many_opening_changes: most,
  too_many_roles: most,
  service_has_appointments: each(NUMBERS, (count) => ({ count })),
  resource_has_appointments: each(NUMBERS, (count) => ({ count })),
  resource_in_use: [{ services: [LATIN] }, { services: [LATIN, ARABIC] }],
  too_many_slot_days: most,
  // Files.
  file_in_use: [{ flows: [LATIN] }, { flows: [LATIN, ARABIC] }],
  appointment_over: each(['completed', 'no_show'], (word) => ({ status: word })),
  appointment_too_far: each(NUMBERS, (days) => ({ days })),
  calendar_links_full: most,
  file_type_not_sendable: [{ mediaType: 'image/heic', types: ['image/jpeg', 'image/png'] }],
  file_too_large_for_channel: [{ bytes: 6_815_744, most: 5_242_880 }],
  media_without_caption: each(MEDIA_KINDS, (mediaKind) => ({ mediaKind })),
  caption_too_long: [
    { length: 1_025, most: 1_024, unit: 'code_points' },
    { length: 2_001, most: 2_000, unit: 'utf8_bytes' },
  ],
  file_too_large: each([16_777_216], (bytes) => ({ most: bytes })),
  uploads_full: each([2_147_483_648], (bytes) => ({ most: bytes })),
  store_failed: fault,

  // What the assistant knows.
  sources_full: most,
  chunks_full: each(NUMBERS, (number) => ({ most: number, count: number + 1 })),
  synonyms_full: most,
  source_file_too_large: each([10_485_760], (bytes) => ({ most: bytes })),
  source_file_differs: [{ name: 'prices.pdf' }, { name: ARABIC }],
  source_has_no_text_to_edit: [{ kind: 'file' }, { kind: 'page' }],
  source_too_many_pages: most,
  source_unpacks_too_large: each([104_857_600], (bytes) => ({ most: bytes })),
  source_too_slow: seconds,
  page_status: status,
  page_too_many_redirects: most,
  page_too_large: each([2_097_152], (bytes) => ({ most: bytes })),
  page_type: [{ mediaType: 'application/pdf' }],
  page_encoding: [{ encoding: 'zstd' }],

  // Fields.
  wrong_type: each(
    [
      'string',
      'number',
      'whole_number',
      'boolean',
      'array',
      'object',
      'null',
      'date',
      'other',
    ] as const,
    (type) => ({ type }),
  ),
  too_small: each(
    ['characters', 'bytes', 'items', 'fields', 'steps', 'variables', 'number'] as const,
    (unit) => ({ least: 1, unit }),
  ),
  too_big: each(
    ['characters', 'bytes', 'items', 'fields', 'steps', 'variables', 'number'] as const,
    (unit) => ({ most: 11, unit }),
  ),
  too_short: [{ least: 1, most: 80, count: 0 }],
  too_long: [{ least: 1, most: 80, count: 81 }],
  wrong_length: [{ least: 12, most: 128 }],
  not_a_choice: [{ choices: ['on'] }, { choices: ['on', 'off'] }],
  not_a_multiple: [{ of: 5 }],
  unknown_step: [{ step: LATIN }, { step: ARABIC }],
  contact_without: each(['phone', 'email', 'contact_id'] as const, (what) => ({ what })),
  event_not_caused: [{ type: 'lead.qualified', types: ['message.received', 'flow.failed'] }],
  secret_too_long: most,
  pair_too_long: most,
  path_too_long: most,
  path_too_many_steps: most,
  url_too_long: most,
  unknown_placeholder: [{ placeholder: 'vars.order' }, { placeholder: ARABIC }],
  too_large: most,
  no_body: [{ method: 'GET' }],
  parameter_not_used: [{ name: 'order' }],

  // Endpoints and the log.
  webhooks_not_in_plan: plan,
  endpoints_used_up: most,
  endpoint_off_failures_in_row: each(NUMBERS, (failures) => ({ failures })),
  endpoint_off_failing_for_days: each(NUMBERS, (days) => ({ days })),
  endpoint_on_with_held: each([...NUMBERS.keys()], (place) => ({
    count: NUMBERS[place]!,
    isMore: place % 2 === 1,
    days: 7,
  })),
  event_too_old: each(NUMBERS, (days) => ({ days })),
  tests_and_resends_a_minute: [{ most: 10, freeAt: TIME }],
  log_watchers: most,
  job_over: each(['running', 'paused', 'done', 'cancelled'] as const, (state) => ({ state })),
  delivery_waits_again: each(NUMBERS, (attempts) => ({ attempts, dueAt: TIME })),
  delivery_dead: [
    { why: 'test', attempts: 1, now: 'send_another_test' },
    { why: 'gone', attempts: 1, now: 'endpoint_deleted' },
    { why: 'all_failed', attempts: 8, now: 'back_to_plan' },
    { why: 'all_failed', attempts: 8, now: 'resend' },
    { why: 'all_failed', attempts: 8, now: 'switch_on' },
  ],
  delivery_held: each(['plan', 'off', 'was_off'] as const, (why) => ({ why, days: 7 })),
  delivery_expired: each(NUMBERS, (days) => ({ days, now: 'resend' as const })),
  attempt_http_error: status,
  attempt_connect_timeout: seconds,
  attempt_timeout: seconds,
  hint_http_413: kilobytes,

  // Servers of merchants, and calls to them.
  host_lookup_slow: seconds,
  request_not_writable: fault,
  connection_slow: seconds,
  tls_failed_by: fault,
  tls_slow: seconds,
  tls_broke: fault,
  no_answer: seconds,
  answer_not_ended: seconds,
  connections_used_up: most,
  connections_not_in_plan: plan,
  connection_in_use: [
    { flows: [ARABIC], actions: [] },
    { flows: [], actions: ['order_status'] },
    { flows: [LATIN, ARABIC], actions: ['order_status'] },
  ],
  actions_used_up: most,
  actions_not_in_plan: plan,
  action_name_taken: [{ name: 'order_status' }],
  tests_of_calls_a_minute: [{ most: 10, freeAt: TIME }],
  call_allowance_used_up: most,
  call_no_time_left: seconds,
  call_path_too_long: most,
  call_header_refused: most,
  call_body_too_large: kilobytes,
  call_redirected: status,
  call_answered: status,
  call_answer_too_large: kilobytes,
  call_answer_packed: [{ encoding: 'zstd' }, { encoding: null }],

  // Hooks.
  hook_urls_not_in_plan: plan,
  hook_urls_used_up: most,
  hook_body_too_large: most,
  hook_requests_to_url: most,
  hook_requests_to_company: most,
  hook_key_too_long: most,
  hook_starts_not_in_plan: plan,
  hook_flow_beyond_plan: each(NUMBERS, (flows) => ({ flows })),
  hook_phone_unreadable: path,
  hook_account_templates: most,
  hook_customer_templates: most,

  // Channels and flows.
  no_provider_of_type: [{ type: 'telegram' }],
  type_not_connectable: [{ type: 'telegram' }],
  channel_credentials_unreadable: [{ secrets: ['accessToken', 'appSecret'] }],
  channel_account_lost: [{ event: 'ACCOUNT_OFFBOARDED' }],
  channel_in_use: [{ flows: [LATIN] }, { flows: [LATIN, ARABIC] }],
  meta_auth: [{ product: 'messenger', said: 'Invalid OAuth access token', providerCode: '190' }],
  meta_rate: [{ product: 'instagram', said: '', providerCode: '613' }],
  meta_blocked: [{ product: 'messenger', said: '', providerCode: '368' }],
  meta_transient: [{ product: 'instagram', said: '', providerCode: '2' }],
  meta_content: [{ product: 'messenger', said: 'Unsupported get request', providerCode: '100' }],
  meta_token_of_another: [{ product: 'messenger' }, { product: 'instagram' }],
  whatsapp_auth: said,
  whatsapp_rate: said,
  whatsapp_billing: said,
  whatsapp_blocked: said,
  whatsapp_transient: said,
  whatsapp_content: said,
  telegram_auth: said,
  telegram_rate: said,
  telegram_transient: said,
  telegram_asked_elsewhere: said,
  telegram_webhook_refused: [{ url: 'https://example.com/webhooks/telegram/1', said: LATIN }],
  telegram_webhook_failing: [{ said: LATIN }],
  model_timeout: seconds,
  model_server_error: status,
  model_bad_request: status,
  model_answer_too_large: [{ most: 1_048_576 }],
  models_used_up: most,
  model_tests_a_minute: [{ most: 10, freeAt: TIME }],
  model_allowance_too_high: [{ most: 2_000_000 }],
  automations_not_in_plan: plan,
  flows_used_up: each(NUMBERS, (flows) => ({ plan: 'pro', flows })),

  // Publishing.
  in_plan: plan,
  flows_of_plan: each(NUMBERS, (number) => ({ plan: 'pro' as const, most: number })),
  calls_not_in_plan: plan,
  channel_type_sends_nothing: [{ channelType: 'voice' }],
  channel_type_has_no_templates: [{ channelType: 'telegram' }],
  start_exists: [{ step: LATIN }],
  reachable: [{ step: LATIN }],
  next_exists: [{ step: LATIN, exit: 'next', to: 'gone' }],
  loop_waits: [{ step: LATIN }],
  calls_in_a_row: [{ most: 3, calls: ['a', 'b', 'c', 'd'] }],
  template_first: [{ step: LATIN }],
  template_first_or_window: [{ step: LATIN }],
  reply_window: [{ step: LATIN, hours: 24 }],
  variable_set: [{ step: LATIN, variable: 'order' }],
  text_length: [
    { length: 4_097, most: 4_096, unit: 'code_points' },
    { length: 1_001, most: 1_000, unit: 'utf8_bytes' },
  ],
  template_version_missing: [{ template: LATIN, language: 'ar' }],
  template_version_not_approved: [{ template: LATIN, language: 'ar', status: 'PAUSED' }],
  template_version_not_fillable: [
    { template: LATIN, language: 'ar', part: 'header', type: 'IMAGE' },
  ],
  template_header_needed: [{ template: LATIN, language: 'ar' }],
  template_value_needed: [{ template: LATIN, language: 'ar', variable: '1' }],
  template_link_needed: [{ template: LATIN, language: 'ar', button: 'See', index: 0 }],
  connection_on: [{ name: LATIN }, { name: ARABIC }],
  request_valid: [{ field: 'request.path', said: { code: 'no_slash', params: {} } }],

  // Contacts.
  unknown_contact_field: [{ key: 'shoe_size' }],
  too_many_contact_fields: most,
  too_many_segments: most,
  whole_reads_at_once: most,
  too_many_tags: most,
  no_such_tag: [{ tag: LATIN }, { tag: ARABIC }],
  import_too_large: most,
  import_header_twice: [{ header: LATIN }, { header: ARABIC }],
  import_too_many_headers: most,
  import_unknown_header: [{ header: LATIN }, { header: ARABIC }],
  import_too_many_rows: most,
  import_file_broken: each(NUMBERS, (row) => ({ row })),
  import_double: each(NUMBERS, (row) => ({ row })),
  search_too_short: each(NUMBERS, (least) => ({ least })),

  // Triggers.
  trigger_hooks_not_in_plan: plan,
  trigger_cannot_begin: [{ channelType: 'telegram' }],
  trigger_path_unreadable: [{ path: 'a b', said: { code: 'path_space', params: {} } }],
  trigger_keyword_empty: [{ word: '\u0640' }, { word: ARABIC }],
  trigger_keyword_too_long: [{ word: LATIN }, { word: ARABIC }],
  trigger_keyword_taken: [{ word: LATIN, flow: ARABIC }],
  trigger_first_message_taken: [{ flow: LATIN }, { flow: ARABIC }],
  trigger_template_missing: [{ template: LATIN }],
  trigger_button_missing: [
    { template: LATIN, button: ARABIC, buttons: [] },
    { template: LATIN, button: ARABIC, buttons: [LATIN] },
    { template: LATIN, button: ARABIC, buttons: [LATIN, ARABIC] },
  ],
  trigger_button_taken: [{ template: LATIN, button: LATIN, flow: ARABIC }],
  start_flow_beyond_plan: each(NUMBERS, (number) => ({ plan: 'pro' as const, most: number })),
  start_flow_not_manual: [{ trigger: 'keyword' }],
  start_window_closed: [{ step: LATIN }],

  // Runs and steps.
  field_not_set: [{ key: 'shoe_size' }],
  no_answer_to_question: each(NUMBERS.slice(1), (times) => ({ times })),
  branch_holds: [{ branch: 2 }],
  options_differ: [{ label: LATIN }, { label: ARABIC }],
  option_label_length: [{ label: ARABIC, most: 20 }],
  field_exists: [{ key: 'size' }],
  too_many_steps: most,
  too_many_waits: most,
  step_gone: [{ step: LATIN }, { step: ARABIC }],
  channel_disconnected: [{ why: null }, { why: { code: 'channel_off_by_member', params: {} } }],
  reply_window_not_opened: [{ templateMaySend: true }, { templateMaySend: false }],
  reply_window_closed: [
    { hours: 1, templateMaySend: true },
    { hours: 24, templateMaySend: false },
  ],
  text_too_long: [
    { length: 4_097, most: 4_096, unit: 'code_points' },
    { length: 1_001, most: 1_000, unit: 'utf8_bytes' },
  ],
  template_missing: [{ template: LATIN }],
  template_not_approved: [
    { template: LATIN, language: 'ar', versions: [{ language: 'ar', status: 'PAUSED' }] },
  ],
  template_not_fillable: each(['header', 'button', 'component'] as const, (part) => ({
    template: LATIN,
    part,
    type: 'IMAGE',
  })),
  template_value_empty: [{ template: LATIN, value: ARABIC }],
  account_templates_used_up: most,
  customer_templates_used_up: most,
  provider_refused: said,
  message_undelivered: [
    { why: { code: 'provider_refused', params: { said: '', providerCode: 'none' } } },
  ],
  not_sent_fault: fault,
  provider_not_reached: fault,
  provider_answer_cut: fault,
  call_kept_nothing: [{ paths: ['order.id'] }, { paths: ['order.id', ARABIC] }],
  appointment_made: [{ reference: 'K7Q2M' }],
  appointment_called_off: [{ reference: 'K7Q2M' }],
  calls_used_up: most,
  call_time_used_up: seconds,
  step_cannot_take: each(
    ['reply', 'timeout', 'sent', 'send_failed', 'called', 'errand_done'] as const,
    (input) => ({ step: LATIN, input }),
  ),
}
