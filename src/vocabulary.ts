/**
 * Every word list that the service speaks, once. Lists marked extensible may grow: a reader treats
 * an unknown value as "other", never as an error.
 * Spec: Concepts › Conventions; Events › Words in payloads.
 */

/** Extensible. Spec: Concepts › Channel capabilities. */
export const CHANNEL_TYPES = [
  'whatsapp',
  'whatsapp_qr',
  'telegram',
  'messenger',
  'instagram',
  'web_widget',
  'website',
  'voice',
] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]

/**
 * Extensible.
 * Spec: Events › Words in payloads; reading E9. `unknown` is a message that cannot be read. */
export const MESSAGE_TYPES = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contact',
  'unknown',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** As what a file is shown that the business sends. */
export const MEDIA_KINDS = ['image', 'audio', 'video', 'document'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** What a member uploads a file for: to send it once, or to have flows send it. Spec: Files › Uploading. */
export const FILE_PURPOSES = ['message', 'flow'] as const
export type FilePurpose = (typeof FILE_PURPOSES)[number]

/** Spec: States › File. */
export const FILE_STATES = ['awaited', 'kept', 'lost', 'dropped'] as const
export type FileState = (typeof FILE_STATES)[number]

/** Extensible. Spec: Events › Types. */
export const EVENT_TYPES = [
  'message.received',
  'conversation.started',
  'conversation.handover',
  'conversation.assigned',
  'conversation.resolved',
  'contact.created',
  'contact.updated',
  'contact.opted_out',
  'lead.qualified',
  'appointment.booked',
  'appointment.cancelled',
  'flow.completed',
  'flow.failed',
  'ping',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/**
 * The event types that something causes: an endpoint subscribes to these alone. A type joins them in the
 * change that brings its cause; `ping` is only ever a test.
 */
export const SUBSCRIBABLE_EVENT_TYPES = [
  'message.received',
  'conversation.started',
  'conversation.handover',
  'conversation.assigned',
  'conversation.resolved',
  'contact.created',
  'contact.updated',
  'contact.opted_out',
  'lead.qualified',
  'appointment.booked',
  'appointment.cancelled',
  'flow.completed',
  'flow.failed',
] as const satisfies EventType[]
export type SubscribableEventType = (typeof SUBSCRIBABLE_EVENT_TYPES)[number]

/** The shape versions of an event's `data`, oldest first. Spec: Versioning › OpenAPI. */
export const API_VERSIONS = ['2026-10'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]
export const CURRENT_API_VERSION: ApiVersion = '2026-10'

/** Spec: Concepts › Plans. Business is the highest. */
export const PLANS = ['free', 'starter', 'pro', 'business'] as const
export type Plan = (typeof PLANS)[number]

/** Owners and Admins set up; an Agent works the inbox. Spec: Concepts › Roles. */
export const ROLES = ['owner', 'admin', 'agent'] as const
export type Role = (typeof ROLES)[number]

/** Extensible. Spec: Errors › Hook statuses; reading H2. */
export const HOOK_STATUSES = [
  'accepted',
  'duplicate',
  'invalid_json',
  'idempotency_key_too_long',
  'not_in_plan',
  'not_found',
  'flow_off',
  'flow_not_listening',
  'channel_unavailable',
  'opted_out',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_phone',
  'rate_limited',
  'template_limit_reached',
  'customer_limit_reached',
  'service_unavailable',
  'method_not_allowed',
] as const
export type HookStatus = (typeof HOOK_STATUSES)[number]

/** `skipped` and `cancelled` send no event and carry a reason that the dashboard shows. */
export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'skipped',
  'cancelled',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Extensible. Spec: Events › Words in payloads. */
export const HANDOVER_REASONS = [
  'customer_asked_for_person',
  'missing_information',
  'needs_staff_action',
  'customer_upset',
  'qualified_lead',
  'flow_handover',
  'message_burst',
  'unsupported_media',
] as const
export type HandoverReason = (typeof HANDOVER_REASONS)[number]

/** What can stand between the messages of a conversation. Extensible. Spec: Inbox › Timeline. */
export const ENTRY_KINDS = [
  'note',
  'handed_over',
  'handover_asked',
  'taken_over',
  'given_back',
  'assigned',
  'resolved',
  'reopened',
  'flow_kept_out',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Spec: Events › Words in payloads. */
export const LEAD_TEMPERATURES = ['cold', 'warm', 'hot'] as const
export type LeadTemperature = (typeof LEAD_TEMPERATURES)[number]

/** Spec: States › Lead. */
export const LEAD_STATUSES = ['open', 'qualified', 'won', 'lost'] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]

/** What made a lead. Spec: Leads › Making. */
export type LeadSource = 'flow' | 'member'

/** Spec: Events › Words in payloads. */
export const APPOINTMENT_STATUSES = ['confirmed', 'cancelled', 'no_show', 'completed'] as const
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number]

/** What made an appointment. Spec: Appointments › Booking. */
export const APPOINTMENT_SOURCES = ['assistant', 'booking_page', 'flow', 'staff'] as const
export type AppointmentSource = (typeof APPOINTMENT_SOURCES)[number]

/** Who cancelled an appointment: the customer by their link, or in a conversation; a member. */
export const APPOINTMENT_CANCELLERS = ['link', 'assistant', 'flow', 'member'] as const
export type AppointmentCanceller = (typeof APPOINTMENT_CANCELLERS)[number]

/** What was done with an appointment. Extensible. Spec: Appointments › History. */
export const APPOINTMENT_ENTRY_KINDS = [
  'booked',
  'moved',
  'cancelled',
  'completed',
  'no_show',
] as const
export type AppointmentEntryKind = (typeof APPOINTMENT_ENTRY_KINDS)[number]

/** What an appointment takes. */
export const RESOURCE_KINDS = ['person', 'room'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

/** Extensible. Spec: Events › Words in payloads; reading F4. */
export const END_REASONS = [
  'completed',
  'handed_over',
  'customer_exited',
  'error',
  'limit_exceeded',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** Extensible. Spec: Flows › Triggers; reading E10. */
export const TRIGGER_KINDS = [
  'webhook',
  'keyword',
  'conversation_started',
  'manual',
  'template_button',
  'appointment_reminder',
] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

/** What a question of a flow asks for. Spec: Flows › Questions. */
export const ANSWER_KINDS = [
  'text',
  'number',
  'email',
  'phone',
  'date',
  'yes_no',
  'choice',
  'media',
] as const

/** What became of a message that the business sent. `unknown`: the provider's answer was lost. */
export const SENT_MESSAGE_STATUSES = [
  'queued',
  'sending',
  'unknown',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
] as const
export type SentMessageStatus = (typeof SENT_MESSAGE_STATUSES)[number]

export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'dead_lettered',
  'held',
  'superseded',
  'cancelled',
  'expired',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** What a delivery was made by: an event, a person who sends it again, Send test. */
export const DELIVERY_KINDS = ['event', 'resend', 'test'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

/** What a job does: resends what a filter finds, or lets go what was held. */
export type ResendJobKind = 'resend' | 'held'
export type ResendJobState = 'running' | 'paused' | 'done' | 'cancelled'
export type ResendJobReason = 'by_member' | 'endpoint_off' | 'endpoint_deleted' | 'not_in_plan'

/** Why an attempt failed, in one word each; a merchant reads them with a hint. */
export const ATTEMPT_ERRORS = [
  'dns_failed',
  'address_refused',
  'url_refused',
  'connect_refused',
  'connect_timeout',
  'tls_failed',
  'connection_reset',
  'timeout',
  'bad_response',
  'redirect_refused',
  'http_error',
  'gone',
  'unreadable',
] as const
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

/** Methods of a call to the merchant's API. Spec: Calls › HTTP steps. */
export const CALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type CallMethod = (typeof CALL_METHODS)[number]

/** The variable that every call of a flow sets: the answer's status code, null when none came. */
export const HTTP_STATUS = 'http_status'

/** How an API connection proves itself. Spec: Calls › Connections. */
export const CONNECTION_AUTH_KINDS = ['none', 'bearer', 'basic', 'header', 'query'] as const
export type ConnectionAuthKind = (typeof CONNECTION_AUTH_KINDS)[number]

/** What an AI action may know its customer by. Spec: Calls › AI actions. */
export const ACTION_IDENTITIES = ['none', 'phone', 'email', 'contact_id'] as const
export type ActionIdentity = (typeof ACTION_IDENTITIES)[number]

/** Who makes a call to the merchant's API. */
export const CALL_SOURCES = ['step', 'action', 'test'] as const

/** Why a call to the merchant's API was not made: nothing was sent, nothing is counted. */
export const CALLS_NOT_MADE = [
  'connection_deleted',
  'connection_off',
  'credential_unreadable',
  'not_in_plan',
  'allowance_used_up',
  'no_time_left',
  'not_wanted',
  'path_refused',
  'path_value_refused',
  'path_too_long',
  'header_refused',
  'body_refused',
  'body_too_large',
] as const
export type CallNotMade = (typeof CALLS_NOT_MADE)[number]

/** Why a call failed. Spec: Errors › Failed calls. */
export const CALL_FAILURES = [
  ...CALLS_NOT_MADE,
  'dns_failed',
  'address_refused',
  'url_refused',
  'connect_refused',
  'connect_timeout',
  'tls_failed',
  'connection_reset',
  'timeout',
  'bad_response',
  'redirect_refused',
  'http_error',
  'answer_too_large',
  'answer_unreadable',
] as const
export type CallFailure = (typeof CALL_FAILURES)[number]

/** Why an endpoint is off. Spec: States › Endpoint. */
export const OFF_REASONS = ['failures_in_row', 'failing_for_days', 'gone', 'by_member'] as const
export type OffReason = (typeof OFF_REASONS)[number]

/** What the Owners and Admins of an account are told, and a member who is named in a note. Extensible. */
export const NOTICE_KINDS = ['endpoint_switched_off', 'endpoint_failing', 'mentioned'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** What made a contact. */
export const CONTACT_SOURCES = ['message', 'hook', 'member', 'import', 'booking_page'] as const
export type ContactSource = (typeof CONTACT_SOURCES)[number]

/** How a contact was opted out or in. Spec: Contacts › Opt-out. */
export const OPT_OUT_HOWS = [
  'stop',
  'start',
  'link',
  'member',
  'import',
  'merge',
  'erased',
] as const
export type OptOutHow = (typeof OPT_OUT_HOWS)[number]

/** What becomes of a contact that an import finds. Spec: Contacts › Import. */
export const IMPORT_MODES = ['fill', 'overwrite', 'skip'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** What a custom field of contacts may hold. Spec: Contacts › Fields. */
export const CONTACT_FIELD_KINDS = ['text', 'number', 'date', 'yes_no', 'choice'] as const
export type ContactFieldKind = (typeof CONTACT_FIELD_KINDS)[number]

/** Spec: States › Broadcast. */
export const BROADCAST_STATES = [
  'draft',
  'scheduled',
  'preparing',
  'sending',
  'paused',
  'done',
  'cancelled',
] as const
export type BroadcastState = (typeof BROADCAST_STATES)[number]

/** Why a recipient of a broadcast is not written to. Spec: Broadcasts › Sending. */
export const SKIP_REASONS = [
  'opted_out',
  'marketing_stopped',
  'no_number',
  'same_number',
  'value_missing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** What became of a recipient: not written to yet, skipped, or the status of the message. */
export const RECIPIENT_OUTCOMES = [
  'pending',
  'skipped',
  'queued',
  'sending',
  'unknown',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
] as const
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number]

/** Languages that a hook and a flow tell apart. Spec: Hooks › Language reading. */
export const LANGUAGES = ['ar', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** What can be wrong with a flow that is to be published. Spec: Flows › Publishing; reading F3. */
export const PUBLISH_RULES = [
  'start_exists',
  'next_exists',
  'reachable',
  'template_first',
  'template_exists',
  'template_approved',
  'template_can_be_filled',
  'value_given',
  'variable_set',
  'channel_exists',
  'channel_type',
  'channel_connected',
  'trigger_unique',
  'keyword_readable',
  'button_exists',
  'text_length',
  'loop_waits',
  'reply_window',
  'path_readable',
  'in_plan',
  'flows_of_plan',
  'connection_exists',
  'connection_on',
  'request_valid',
  'calls_in_a_row',
  'options_given',
  'options_differ',
  'option_label',
  'bounds_in_order',
  'tags_given',
  'field_exists',
  'member_exists',
  'opening_hours_set',
  'service_bookable',
  'file_sendable',
] as const
export type PublishRule = (typeof PUBLISH_RULES)[number]

/** Why a request of a member is refused: `code` of every problem. Closed: branch on it. */
export const PROBLEM_CODES = [
  'invalid_json',
  'invalid',
  'not_signed_in',
  'sign_in_failed',
  'password_needed',
  'forbidden',
  'wrong_origin',
  'not_in_plan',
  'not_found',
  'not_available',
  'conflict',
  'stale',
  'limit_reached',
  'flow_off',
  'flow_not_listening',
  'channel_unavailable',
  'opted_out',
  'outside_service_window',
  'not_sendable',
  'slot_taken',
  'too_late',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'provider_failed',
  'internal_error',
  'service_unavailable',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]
