import type { None } from './none.ts'

/** What of a template a flow cannot fill; `type` is the provider's word for it. */
export type UnfillablePart = { part: 'header' | 'button' | 'component'; type: string }

/** Why a run ended, and what became of its sends and calls. */
export type RunFacts = {
  /** `most` steps were taken since the last wait. */
  too_many_steps: { most: number }
  too_many_waits: { most: number }
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
  /** The service was restored from a backup that was made while the run was under way. */
  run_restored: None
  /** Its turn failed again and again, by a fault of the service. */
  run_not_taken_on: None
  /** What it was to say was not sent: it had ended. */
  sender_ended: None
  /** The number is another customer's by now, and no other id of theirs is known. */
  customer_not_reachable: None
  /** It was queued when the backup was made that was restored. */
  message_restored: None
  /** `why` it is not, where that is known. */
  channel_disconnected: { why: object | null }
  channel_sends_nothing: None
  /** Where any time will do, nobody but the customer begins. */
  customer_has_not_begun: None
  /** No message of the customer has opened it: none came, or only history that came with the number. */
  reply_window_not_opened: { templateMaySend: boolean }
  /** `hours` have passed since the customer wrote. */
  reply_window_closed: { hours: number; templateMaySend: boolean }
  text_empty: None
  text_too_long: { length: number; most: number; unit: 'code_points' | 'utf8_bytes' }
  template_missing: { template: string }
  template_not_approved: {
    template: string
    language: string
    versions: { language: string; status: string }[]
  }
  template_not_fillable: { template: string } & UnfillablePart
  template_value_empty: { template: string; value: string }
  account_templates_used_up: { most: number }
  customer_templates_used_up: { most: number }
  message_gone: None
  /** No answer to a send came; the provider may still tell. */
  send_unknown: None
  send_never_told: None
  /** `said` and `providerCode` are the provider's own words; empty when it gave none. */
  provider_refused: { said: string; providerCode: string }
  message_undelivered: { why: object }
  not_sent_channel_gone: None
  not_sent_credentials_unreadable: None
  /** A fault of the service; `fault` is what the machine or a library said. */
  not_sent_fault: { fault: string }
  customer_without_address: None
  provider_not_reached: { fault: string }
  provider_answer_cut: { fault: string }
  /** The service stopped before a call went out, or while it was under way. */
  call_not_begun: None
  call_cut_off: None
  call_answer_not_json: None
  call_kept_nothing: { paths: string[] }
}
