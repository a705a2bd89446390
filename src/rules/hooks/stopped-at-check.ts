import type { HookStatus } from '../../core/vocabulary/hooks.ts'

/**
 * Returns at which of the 13 checks a hook request stopped, by its response. The checks before it passed, those after
 * it did not run. Null when all passed. `duplicate` stops at the ninth and is no failure.
 *
 * Spec: Hooks › Order of checks.
 */
export function stoppedAtCheck(status: HookStatus): number | null {
  return STOPPED_AT[status]
}

/**
 * `not_in_plan` is the response both for the plan's number of hooks and for a plan without templates, which has no
 * hooks.
 */
const STOPPED_AT: Readonly<Record<HookStatus, number | null>> = {
  accepted: null,
  method_not_allowed: 2,
  invalid_request: 2,
  request_timeout: 2,
  unsupported_media_type: 2,
  payload_too_large: 2,
  service_unavailable: 3,
  not_found: 4,
  account_moved: 4,
  rate_limited: 5,
  idempotency_key_too_long: 6,
  invalid_json: 6,
  not_in_plan: 7,
  flow_off: 8,
  flow_not_listening: 8,
  duplicate: 9,
  channel_unavailable: 10,
  invalid_phone: 11,
  template_limit_reached: 12,
  customer_limit_reached: 12,
  opted_out: 13,
}
