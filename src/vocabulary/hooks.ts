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

/** Languages that a hook and a flow tell apart. Spec: Hooks › Language reading. */
export const LANGUAGES = ['ar', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
