import type { HookFacts } from '../../facts/hooks.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_HOOKS: Sentences<HookFacts> = {
  no_such_hook_url: () => 'This company has no such hook URL.',
  hook_urls_not_in_plan: ({ plan }) => `Hooks are not part of the ${plan} plan.`,
  flow_has_hook_url: () => 'The flow has a hook URL already. Replace it instead.',
  hook_urls_used_up: ({ most }) => `A company has at most ${most} hook URLs. Delete one first.`,

  hook_started_before: () => 'This key already started the run named here.',
  hook_not_taken_in: () => 'The request could not be taken in. Send it again.',
  hook_not_taken_in_now: () =>
    'The request could not be taken in. Send it again in a minute with the same key.',
  hook_too_many_waiting: () => 'Too many requests are waiting. Try again in a minute.',
  hook_not_counted: () => 'Requests cannot be counted now. Try again in a minute.',
  hook_needs_post: () => 'Send a POST request.',
  hook_not_http: () =>
    'The request is not HTTP/1.1 as it is written. Send it with an HTTP library.',
  hook_head_too_large: ({ most }) =>
    `The URL and the headers have more than ${most} bytes together. Send fewer or shorter headers.`,
  hook_too_slow: ({ seconds }) =>
    `The request did not arrive whole within ${seconds} seconds. Send it again with the same key.`,
  hook_type_not_json: () => 'Send the body as application/json, without a Content-Encoding.',
  hook_body_too_large: ({ most }) => `The body is larger than ${most} bytes.`,
  hook_too_many_bodies: () => 'Too many bodies are arriving. Try again in a minute.',
  hooks_paused: () => 'Hooks are paused. Try again in a minute.',
  hook_token_unknown: () => 'No hook has this token. Copy the URL from the flow builder again.',
  hook_requests_to_url: ({ most }) => `More than ${most} requests to this URL in a minute.`,
  hook_requests_to_company: ({ most }) =>
    `More than ${most} requests to the company's hooks in an hour.`,
  hook_key_too_long: ({ most }) => `Idempotency-Key is longer than ${most} characters.`,
  hook_body_not_utf8: () => 'The body is not UTF-8.',
  hook_body_not_json: () => 'The body is not JSON.',
  hook_body_not_container: () => 'The body must be a JSON object or array.',
  hook_starts_not_in_plan: ({ plan }) =>
    `Starting flows from your system is not part of the ${plan} plan.`,
  hook_flow_off: () => 'The flow is not published or is switched off.',
  hook_flow_beyond_plan: ({ flows }) => `The flow is beyond the ${flows} flows of the plan.`,
  hook_flow_not_listening: () => 'The published flow is not started by its webhook trigger.',
  hook_channel_not_connected: () => "The flow's WhatsApp number is not connected.",
  hook_phone_unreadable: ({ path }) => `No readable phone number at ${quotedInEnglish(path)}.`,
  hook_templates_not_in_plan: () => 'The plan has no automated templates.',
  hook_account_templates: ({ most }) =>
    `The account's ${most} automated templates of this day (UTC) are used up.`,
  hook_customer_templates: ({ most }) =>
    `The customer had ${most} automated templates in the last 24 hours.`,
  hook_opted_out: () => 'The customer has opted out. Do not message them another way.',

  phone_unreadable: () =>
    'This is not read as a phone number; write it with its country code, such as +966501234567.',
}
