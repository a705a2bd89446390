import type { Plan } from '../vocabulary/accounts.ts'
import type { ChannelType } from '../vocabulary/channels.ts'
import type { TriggerKind } from '../vocabulary/flows.ts'
import type { None } from './none.ts'

/** Reasons why a trigger is refused, and why a member cannot start a flow. */
export type TriggerFacts = {
  trigger_hooks_not_in_plan: { plan: Plan }
  trigger_cannot_begin: { channelType: ChannelType }
  trigger_keyword_empty: { word: string }
  trigger_keyword_too_long: { word: string }
  trigger_keyword_taken: { word: string; flow: string }
  trigger_first_message_taken: { flow: string }
  trigger_template_missing: { template: string }
  trigger_button_missing: { template: string; button: string; buttons: string[] }
  trigger_button_taken: { template: string; button: string; flow: string }
  /** The customer wrote the keyword of a flow that interrupts. */
  run_left_for_another: None
  start_flow_off: None
  flow_changed: None
  start_flow_beyond_plan: { plan: Plan; max: number }
  start_flow_not_manual: { trigger: TriggerKind }
  start_channel_not_connected: None
  start_contact_not_on_channel: None
  contact_without_number: None
  start_opted_out: None
  start_window_closed: { step: string }
}
