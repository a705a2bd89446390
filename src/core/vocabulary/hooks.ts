/** The statuses of a hook response. Extensible. Spec: Errors › Hook statuses; reading H2. */
export const HOOK_STATUSES = [
  'accepted',
  'duplicate',
  'invalid_json',
  'invalid_request',
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
  'request_timeout',
  'account_moved',
] as const
export type HookStatus = (typeof HOOK_STATUSES)[number]

/**
 * The HTTP status of each hook status. `invalid_request` is also answered 431, where the head is too large.
 * Spec: Errors › Hook statuses.
 */
export const HOOK_STATUS_HTTP: Record<HookStatus, number> = {
  accepted: 202,
  duplicate: 200,
  invalid_json: 400,
  invalid_request: 400,
  idempotency_key_too_long: 400,
  not_in_plan: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  flow_off: 409,
  flow_not_listening: 409,
  channel_unavailable: 409,
  opted_out: 409,
  account_moved: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_phone: 422,
  rate_limited: 429,
  template_limit_reached: 429,
  customer_limit_reached: 429,
  service_unavailable: 503,
}

/** Languages that hooks and flows distinguish. Spec: Hooks › Language reading. */
export const LANGUAGES = ['ar', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
