import type { HookFacts } from '../../core/facts/hooks.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_HOOKS: Catalog<HookFacts> = {
  no_such_hook_url: () => 'No hook URL with this ID.',
  hook_urls_not_in_plan: ({ plan }) => `Hooks aren’t included in the ${plan} plan.`,
  flow_has_hook_url: () => 'The flow already has a hook URL. Replace it instead.',
  hook_urls_used_up: ({ max }) => `You can have at most ${max} hook URLs. Delete one first.`,

  hook_started_before: () => 'This key already started the run with this ID.',
  hook_not_taken_in: () => 'The request couldn’t be processed. Send it again.',
  hook_not_taken_in_now: () =>
    'The request couldn’t be processed. Send it again in a minute with the same key.',
  hook_too_many_waiting: () => 'Too many requests are queued. Try again in a minute.',
  hook_not_counted: () => 'Requests can’t be counted right now. Try again in a minute.',
  hook_needs_post: () => 'Use POST.',
  hook_not_http: () => 'The request isn’t valid HTTP/1.1. Send it with an HTTP library.',
  hook_head_too_large: ({ max }) =>
    `The URL and headers together are larger than ${max} bytes. Send fewer or shorter headers.`,
  hook_too_slow: ({ seconds }) =>
    `The request didn’t arrive completely within ${seconds} seconds. Send it again with the same key.`,
  hook_type_not_json: () => 'Send the body as application/json, without a Content-Encoding.',
  hook_body_too_large: ({ max }) => `The body is larger than ${max} bytes.`,
  hook_too_many_bodies: () => 'Too many requests are arriving at once. Try again in a minute.',
  hooks_paused: () => 'Hooks are paused. Try again in a minute.',
  hook_token_unknown: () =>
    'No hook has this token. Copy the current URL, or replace it in the flow builder.',
  hook_account_on_hold: () =>
    'This account is being moved to another server. Try again in a minute.',
  hook_account_moved: () =>
    'This account has moved to another server. Use the URL that its operator gives you.',
  hook_requests_to_url: ({ max }) => `More than ${max} requests a minute to this URL.`,
  hook_requests_to_company: ({ max }) =>
    `More than ${max} requests an hour to the account’s hooks.`,
  hook_key_too_long: ({ max }) => `Idempotency-Key is longer than ${max} characters.`,
  hook_body_not_utf8: () => 'The body isn’t UTF-8.',
  hook_body_not_json: () => 'The body isn’t valid JSON.',
  hook_body_not_container: () => 'The body must be a JSON object or array.',
  hook_starts_not_in_plan: ({ plan }) =>
    `Starting flows from your system isn’t included in the ${plan} plan.`,
  hook_flow_off: () => 'The flow isn’t published or is switched off.',
  hook_flow_beyond_plan: ({ flows }) => `The flow goes over the plan’s limit of ${flows} flows.`,
  hook_flow_not_listening: () =>
    'The published version of the flow isn’t started by its webhook trigger.',
  hook_channel_not_connected: () => 'The flow’s WhatsApp number isn’t connected.',
  hook_phone_unreadable: ({ path }) => `No valid phone number at ${quotedInEnglish(path)}.`,
  hook_templates_not_in_plan: () => 'The plan doesn’t include automated templates.',
  hook_account_templates: ({ max }) =>
    `The account’s ${max} automated templates for today (UTC) are used up.`,
  hook_customer_templates: ({ max }) =>
    `The customer already got ${max} automated templates in the last 24 hours.`,
  hook_opted_out: () => 'The customer has opted out. Don’t message them another way.',

  phone_unreadable: () =>
    'This isn’t a phone number we can read. Include the country code, such as +966501234567.',
}
