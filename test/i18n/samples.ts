/**
 * Parameters for every code that has some, enforced by the compiler. Tests format a new code with names in both
 * directions, with each word of a list, and with numbers that need each Arabic form. Most codes have parameters
 * of the usual names and take them from one list; the others have separate samples.
 */
import type { FactCode, FactParams } from '../../src/core/facts/fact.ts'
import { BROADCAST_STATES, SKIP_REASONS } from '../../src/core/vocabulary/broadcasts.ts'
import { MEDIA_KINDS } from '../../src/core/vocabulary/files.ts'
import type { None } from '../../src/core/facts/none.ts'

const ARABIC = 'متجر سارة'
const LATIN = 'Order-7'
const NUMBERS = [1, 2, 3, 11, 100, 1_284]
const TIME = '2026-11-21T09:05:00.000Z'

const each = <Value, Params>(
  values: readonly Value[],
  params: (value: Value) => Params,
): [Params, ...Params[]] => values.map(params) as [Params, ...Params[]]

const at = <Value>(values: readonly Value[], place: number): Value => values[place % values.length]!

const under = <Name extends string, Value>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>

const COUNTED = [
  ...(['max', 'min', 'seconds', 'kilobytes', 'minutes', 'days', 'hours'] as const),
  ...(['attempts', 'failures', 'count', 'tried', 'row'] as const),
] as const
const NAMED = [
  ...(['name', 'account', 'template', 'step', 'flow', 'word'] as const),
  ...(['label', 'header', 'tag', 'shortcut', 'value'] as const),
] as const

/** Samples with every parameter of a usual name: a code reads those that it shows. */
export const USUAL = NUMBERS.map((number, place) => ({
  ...under(COUNTED, number),
  ...under(NAMED, at([LATIN, ARABIC], place)),
  contactId: '01a1fd57-4f48-7288-bad4-98666e10e69b',
  status: at([302, 404, 503], place),
  isMore: place % 2 === 1,
  plan: at(['free', 'starter', 'pro', 'business'] as const, place),
  fault: at(['EPROTO', ARABIC], place),
  said: at(['Invalid token', ARABIC], place),
  path: at(['order.id', ARABIC], place),
  placeholder: at(['contact.name', ARABIC], place),
  variable: at(['order', ARABIC], place),
  field: at(['request.path', ARABIC], place),
  key: at(['shoe_size', ARABIC], place),
  language: 'ar',
  number: '+966500000001',
  providerCode: '190',
  code: '428',
  origin: 'https://wasla.example',
  email: 'sara@example.com',
  url: 'https://example.com/webhooks/telegram/1',
  mediaType: 'application/pdf',
  encoding: 'zstd',
  channelType: 'telegram' as const,
  reference: 'K7Q2M',
  freeAt: TIME,
  dueAt: TIME,
}))
type Usual = (typeof USUAL)[number]

type WithParams = { [Code in FactCode]: FactParams[Code] extends None ? never : Code }[FactCode]
type Of<Code extends WithParams> = readonly [FactParams[Code], ...FactParams[Code][]]
type IsUsual<Code extends WithParams> = Usual extends FactParams[Code] ? true : false
type Samples = { [Code in WithParams as IsUsual<Code> extends true ? never : Code]: Of<Code> } & {
  [Code in WithParams]?: Of<Code>
}

const moved = { turn: 7, status: 'open', assigneeId: null, assignee: null } as const
const TOO_LONG = [
  { length: 4_097, max: 4_096, unit: 'code_points' },
  { length: 1_001, max: 1_000, unit: 'utf8_bytes' },
] as const
const TYPES = [
  'string',
  'number',
  'whole_number',
  'boolean',
  'array',
  'object',
  'null',
  'date',
  'other',
] as const
const UNITS = ['characters', 'bytes', 'items', 'fields', 'steps', 'variables', 'number'] as const

/** Samples of codes that read other parameters, or where other values are worth a test. */
export const SAMPLES: Samples = {
  // Requests and accounts.
  needs_role: [{ roles: ['owner'] }, { roles: ['owner', 'admin', 'agent'] }],
  sign_in_code_wrong: each([0, ...NUMBERS], (left) => ({ left })),
  email_unknown: [
    { email: 'sara@example.com', account: null },
    { email: 'sara@example.com', account: LATIN },
  ],
  email_believed_in: [{ email: 'sara@example.com', accounts: [LATIN, ARABIC] }],
  // The inbox.
  conversation_moved_on: [
    { ...moved, handledBy: 'staff' },
    { ...moved, handledBy: 'assistant' },
    ...each([ARABIC, LATIN], (assignee) => ({
      ...moved,
      handledBy: 'staff' as const,
      assigneeId: 'x',
      assignee,
    })),
    { ...moved, status: 'resolved', handledBy: 'assistant' },
  ],
  message_not_queued: [{ status: 'sending' }],
  placeholder_unknown: [{ placeholder: ARABIC, known: ['contact.name', 'contact.phone'] }],
  close_job_over: each(['done', 'cancelled', 'running'], (state) => ({ state })),
  // Broadcasts.
  broadcast_is: each(BROADCAST_STATES, (state) => ({ state })),
  recipient_skipped: each(SKIP_REASONS, (reason) => ({ reason })),
  broadcast_refused: [
    { why: { code: 'provider_refused', params: { said: ARABIC, providerCode: '190' } } },
  ],
  template_recategorised: [{ template: 'offer', language: 'ar', was: 'UTILITY', is: 'MARKETING' }],
  // Leads.
  lead_is_closed: each(['won', 'lost'] as const, (lead) => ({ status: lead })),
  customer_has_lead: [{ leadId: '019e0000-0000-7000-8000-000000000000' }],
  // What can be booked.
  resource_in_use: [{ services: [LATIN] }, { services: [LATIN, ARABIC] }],
  // Files.
  file_in_use: [{ flows: [LATIN] }, { flows: [LATIN, ARABIC] }],
  appointment_over: each(['completed', 'no_show'], (word) => ({ status: word })),
  file_type_not_sendable: [
    { mediaType: 'image/heic', types: ['image/jpeg', 'image/png'] },
    {
      mediaType: 'image/gif',
      types: ['image/jpeg', 'video/mp4'],
      maxBytes: [5_242_880, 16_777_216],
    },
  ],
  file_too_large_for_channel: [{ bytes: 6_815_744, max: 5_242_880 }],
  media_without_caption: each(MEDIA_KINDS, (mediaKind) => ({ mediaKind })),
  caption_too_long: [
    { length: 1_025, max: 1_024, unit: 'code_points' },
    { length: 2_001, max: 2_000, unit: 'utf8_bytes' },
  ],
  file_too_large: each([16_777_216], (bytes) => ({ max: bytes })),
  uploads_full: each([2_147_483_648], (bytes) => ({ max: bytes })),
  // What the assistant knows.
  source_file_too_large: each([10_485_760], (bytes) => ({ max: bytes })),
  source_has_no_text_to_edit: [{ kind: 'file' }, { kind: 'page' }],
  source_unpacks_too_large: each([104_857_600], (bytes) => ({ max: bytes })),
  page_too_large: each([2_097_152], (bytes) => ({ max: bytes })),
  // Fields.
  wrong_type: each(TYPES, (type) => ({ type })),
  too_small: each(UNITS, (unit) => ({ min: 1, unit })),
  too_big: each(UNITS, (unit) => ({ max: 11, unit })),
  not_a_choice: [{ choices: ['on'] }, { choices: ['on', 'off'] }],
  not_a_multiple: [{ of: 5 }],
  contact_without: each(['phone', 'email', 'contact_id'] as const, (what) => ({ what })),
  no_body: [{ method: 'GET' }],
  // Endpoints and the log.
  job_over: each(['running', 'paused', 'done', 'cancelled'] as const, (state) => ({ state })),
  delivery_dead: [
    { why: 'test', attempts: 1, now: 'send_another_test' },
    { why: 'gone', attempts: 1, now: 'endpoint_deleted' },
    { why: 'all_failed', attempts: 8, now: 'back_to_plan' },
    { why: 'all_failed', attempts: 8, now: 'resend' },
    { why: 'all_failed', attempts: 8, now: 'switch_on' },
    { why: 'all_failed', attempts: 8, now: 'resend_delivered' },
    { why: 'all_failed', attempts: 8, now: 'resend_waits' },
  ],
  delivery_held: each(['plan', 'off', 'was_off'] as const, (why) => ({
    why,
    attempts: 2,
    days: 7,
  })),
  delivery_expired: [
    ...each(NUMBERS, (days) => ({ days, now: 'resend' as const })),
    { days: 7, now: 'resend_untried' },
    { days: 7, now: 'switch_on_untried' },
  ],
  // Servers of merchants, and calls to them.
  connection_in_use: [
    { flows: [ARABIC], actions: [], more: 0 },
    { flows: [], actions: ['order_status'], more: 0 },
    { flows: [LATIN, ARABIC], actions: ['order_status'], more: 3 },
  ],
  call_answer_packed: [{ encoding: 'zstd' }, { encoding: null }],
  // Hooks.
  hook_flow_beyond_plan: each(NUMBERS, (flows) => ({ flows })),
  // Channels and flows.
  no_provider_of_type: [{ type: 'telegram' }],
  type_not_connectable: [{ type: 'telegram' }],
  channel_credentials_unreadable: [{ secrets: ['accessToken', 'appSecret'] }],
  channel_account_lost: [{ event: 'ACCOUNT_OFFBOARDED' }],
  channel_in_use: [
    { flows: [LATIN], more: 0 },
    { flows: [LATIN, ARABIC], more: 3 },
  ],
  meta_auth: [{ product: 'messenger', said: 'Invalid OAuth access token', providerCode: '190' }],
  meta_rate: [{ product: 'instagram', said: '', providerCode: '613' }],
  meta_blocked: [{ product: 'messenger', said: '', providerCode: '368' }],
  meta_transient: [{ product: 'instagram', said: '', providerCode: '2' }],
  meta_content: [{ product: 'messenger', said: 'Unsupported get request', providerCode: '100' }],
  meta_token_of_another: [{ product: 'messenger' }, { product: 'instagram' }],
  model_answer_too_large: [{ max: 1_048_576 }],
  flows_used_up: each(NUMBERS, (flows) => ({ plan: 'pro', flows })),
  // Publishing.
  next_exists: [{ step: LATIN, exit: 'next', to: 'gone' }],
  calls_in_a_row: [{ max: 3, calls: ['a', 'b', 'c', 'd'] }],
  text_length: TOO_LONG,
  template_version_not_approved: [{ template: LATIN, language: 'ar', status: 'PAUSED' }],
  template_version_not_fillable: [
    { template: LATIN, language: 'ar', part: 'header', type: 'IMAGE' },
  ],
  template_link_needed: [{ template: LATIN, language: 'ar', button: 'See', index: 0 }],
  request_valid: [{ field: 'request.path', said: { code: 'no_slash', params: {} } }],
  import_cell: [{ column: ARABIC, said: { code: 'wrong_email', params: {} } }],
  import_row: [{ said: { code: 'import_row_nameless', params: {} } }],
  // Triggers.
  trigger_keyword_empty: [{ word: '\u0640' }, { word: ARABIC }],
  trigger_button_missing: [
    { template: LATIN, button: ARABIC, buttons: [] },
    { template: LATIN, button: ARABIC, buttons: [LATIN] },
    { template: LATIN, button: ARABIC, buttons: [LATIN, ARABIC] },
  ],
  trigger_button_taken: [{ template: LATIN, button: LATIN, flow: ARABIC }],
  start_flow_not_manual: [{ trigger: 'keyword' }],
  // Runs and steps.
  no_answer_to_question: each(NUMBERS.slice(1), (times) => ({ times })),
  branch_holds: [{ branch: 2 }],
  channel_disconnected: [{ why: null }, { why: { code: 'channel_off_by_member', params: {} } }],
  reply_window_not_opened: [{ templateMaySend: true }, { templateMaySend: false }],
  reply_window_closed: [
    { hours: 1, templateMaySend: true },
    { hours: 24, templateMaySend: false },
  ],
  text_too_long: TOO_LONG,
  template_not_approved: [
    { template: LATIN, language: 'ar', versions: [{ language: 'ar', status: 'PAUSED' }] },
  ],
  template_not_fillable: each(['header', 'button', 'component'] as const, (part) => ({
    template: LATIN,
    part,
    type: 'IMAGE',
  })),
  message_undelivered: [
    { why: { code: 'provider_refused', params: { said: '', providerCode: 'none' } } },
  ],
  call_kept_nothing: [{ paths: ['order.id'] }, { paths: ['order.id', ARABIC] }],
  step_cannot_take: each(
    ['reply', 'timeout', 'sent', 'send_failed', 'called', 'effect_done'] as const,
    (input) => ({ step: LATIN, input }),
  ),
}
