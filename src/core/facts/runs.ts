import type { None } from './none.ts'

/** A part of a template that a flow cannot fill; `type` is the provider's name for it. */
export type UnfillablePart = { part: 'header' | 'button' | 'component'; type: string }

/** Reasons why a run ended, and outcomes of its sends and calls. */
export type RunFacts = {
  /** `max` steps were taken since the last wait. */
  too_many_steps: { max: number }
  too_many_waits: { max: number }
  step_gone: { step: string }
  flow_deleted: None
  opted_out_before_start: None
  opted_out: None
  staff_handling: None
  /** A step of another run handed the conversation over, or resolved it. */
  run_ended_by_another: None
  run_cancelled_by_member: None
  run_contact_erased: None
  run_visitor_erased: None
  no_automations: None
  /** The service was restored from a backup that was made while the run was active. */
  run_restored: None
  /** Advancing the run failed repeatedly because of an internal error. */
  run_not_taken_on: None
  /** The run ended before its message was sent. */
  sender_ended: None
  /** The number belongs to another customer now, and no other id of this one is known. */
  customer_not_reachable: None
  /** The message was queued when the restored backup was made. */
  message_restored: None
  /** `why` is the fact that explains the disconnection, if it is known. */
  channel_disconnected: { why: object | null }
  channel_sends_nothing: None
  /** Only the customer can begin a conversation on channels without a service window. */
  customer_has_not_begun: None
  /** No message of the customer has opened the window: none came, or only imported history. */
  reply_window_not_opened: { templateMaySend: boolean }
  /** `hours` have passed since the customer wrote. */
  reply_window_closed: { hours: number; templateMaySend: boolean }
  text_empty: None
  text_too_long: { length: number; max: number; unit: 'code_points' | 'utf8_bytes' }
  template_missing: { template: string }
  template_not_approved: {
    template: string
    language: string
    versions: { language: string; status: string }[]
  }
  template_not_fillable: { template: string } & UnfillablePart
  template_value_empty: { template: string; value: string }
  account_templates_used_up: { max: number }
  customer_templates_used_up: { max: number }
  message_gone: None
  /** The provider's answer to a send was lost; the provider may still report an outcome. */
  send_unknown: None
  send_never_told: None
  /** `said` and `providerCode` are the provider's own words; empty when it gave none. */
  provider_refused: { said: string; providerCode: string }
  message_undelivered: { why: object }
  not_sent_channel_gone: None
  not_sent_credentials_unreadable: None
  /** An internal error; `fault` is the message of the system or a library. */
  not_sent_fault: { fault: string }
  customer_without_address: None
  provider_not_reached: { fault: string }
  provider_answer_cut: { fault: string }
  /** The service stopped before a call was sent, or during the call. */
  call_not_begun: None
  call_cut_off: None
  call_answer_not_json: None
  call_kept_nothing: { paths: string[] }
}
