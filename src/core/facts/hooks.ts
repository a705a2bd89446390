import type { None } from './none.ts'

/** Hook URLs, and why a request to one is not accepted. */
export type HookFacts = {
  no_such_hook_url: None
  hook_urls_not_in_plan: { plan: string }
  flow_has_hook_url: None
  hook_urls_used_up: { max: number }

  hook_started_before: None
  hook_not_taken_in: None
  hook_not_taken_in_now: None
  hook_too_many_waiting: None
  hook_not_counted: None
  hook_needs_post: None
  hook_not_http: None
  hook_head_too_large: { max: number }
  hook_too_slow: { seconds: number }
  hook_type_not_json: None
  hook_body_too_large: { max: number }
  hook_too_many_bodies: None
  hooks_paused: None
  hook_token_unknown: None
  hook_account_on_hold: None
  hook_account_moved: None
  hook_requests_to_url: { max: number }
  hook_requests_to_company: { max: number }
  hook_key_too_long: { max: number }
  hook_body_not_utf8: None
  hook_body_not_json: None
  hook_body_not_container: None
  hook_starts_not_in_plan: { plan: string }
  hook_flow_off: None
  hook_flow_beyond_plan: { flows: number }
  hook_flow_not_listening: None
  hook_channel_not_connected: None
  hook_phone_unreadable: { path: string }
  hook_templates_not_in_plan: None
  hook_account_templates: { max: number }
  hook_customer_templates: { max: number }
  hook_opted_out: None

  /** Trying a phone number in the flow builder. */
  phone_unreadable: None
}
