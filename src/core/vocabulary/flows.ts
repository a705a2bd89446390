/** The statuses of a run. `skipped` and `cancelled` send no event and have a reason that the dashboard shows. */
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

/**
 * The reasons for which a run ended, as events report them. Extensible. Spec: Events › Words in payloads; reading F4.
 */
export const END_REASONS = [
  'completed',
  'handed_over',
  'customer_exited',
  'error',
  'limit_exceeded',
] as const
export type EndReason = (typeof END_REASONS)[number]

/** The kinds of triggers that start runs. Extensible. Spec: Flows › Triggers; reading E10. */
export const TRIGGER_KINDS = [
  'webhook',
  'keyword',
  'conversation_started',
  'manual',
  'template_button',
  'appointment_reminder',
] as const
export type TriggerKind = (typeof TRIGGER_KINDS)[number]

/**
 * States of a flow's badge. All but the first three are published and switched on, but their trigger starts nothing:
 * the plan has fewer flows, no flows or no such trigger, or the channel is not connected.
 */
export const FLOW_STATES = [
  'on',
  'off',
  'draft',
  'beyond_plan',
  'not_in_plan',
  'channel_off',
] as const
export type FlowState = (typeof FLOW_STATES)[number]

/** Kinds of answers that a question of a flow accepts. Spec: Flows › Questions. */
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

/** The name of the variable that every call of a flow sets: the answer's status code, null without an answer. */
export const HTTP_STATUS_VARIABLE = 'http_status'

/** Rules that a flow may break when it is published. Spec: Flows › Publishing; reading F3. */
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
  'number_to_compare',
  'list_to_compare',
  'value_to_compare',
  'service_bookable',
  'file_sendable',
] as const
export type PublishRule = (typeof PUBLISH_RULES)[number]

/** The comparisons of a condition's value with another. */
export const COMPARISONS = [
  'equal',
  'not_equal',
  'containing',
  'empty',
  'not_empty',
  'one_of',
  'greater_than',
  'at_least',
  'less_than',
  'at_most',
] as const
