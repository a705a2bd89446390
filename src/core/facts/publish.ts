import type { Plan } from '../vocabulary/accounts.ts'
import type { ChannelType } from '../vocabulary/channels.ts'
import type { None } from './none.ts'
import type { UnfillablePart } from './runs.ts'

type TemplateVersion = { template: string; language: string }

/**
 * Reasons why a flow cannot be published, and warnings for its author. A rule that can be broken in only one way is
 * its own code.
 */
export type PublishFacts = {
  in_plan: { plan: Plan }
  flows_of_plan: { plan: Plan; max: number }
  calls_not_in_plan: { plan: Plan }
  channel_not_chosen: None
  channel_gone: None
  channel_connected: None
  channel_type_sends_nothing: { channelType: ChannelType }
  channel_type_has_no_templates: { channelType: ChannelType }

  start_exists: { step: string }
  reachable: { step: string }
  next_exists: { step: string; exit: string; to: string }
  loop_waits: { step: string }
  /** `calls` are the steps on the way; the last is one too many. */
  calls_in_a_row: { max: number; calls: readonly string[] }
  /** `step` is reachable before a template, which must come first. */
  template_first: { step: string }
  /** The flow can then be started in an open window only. */
  template_first_or_window: { step: string }
  template_never_sent: None
  /** `step` is reachable when the service window may be closed. */
  reply_window: { step: string; hours: number }
  variable_set: { step: string; variable: string }

  text_length: { length: number; max: number; unit: 'code_points' | 'utf8_bytes' }
  template_version_missing: TemplateVersion
  template_version_not_approved: TemplateVersion & { status: string }
  template_version_not_fillable: TemplateVersion & UnfillablePart
  template_header_needed: TemplateVersion
  template_value_needed: TemplateVersion & { variable: string }
  /** `index` is the button's index among all of the template's buttons. */
  template_link_needed: TemplateVersion & { button: string; index: number }
  options_given: None
  options_differ: { label: string }
  option_label_length: { label: string; max: number }
  bounds_in_order: None
  tags_given: None
  field_exists: { key: string }
  member_exists: None
  file_exists: None
  opening_hours_set: None
  number_to_compare: None
  list_to_compare: None
  value_to_compare: None
  service_bookable: None
  service_needs_resource: None
  connection_exists: None
  connection_on: { name: string }
  request_valid: { field: string; said: object }
}
