import { z } from 'zod'
import { HOOK_STATUSES, type HookStatus } from '../vocabulary/hooks.ts'

/** The body of every answer of a hook URL. Spec: Hooks › Response. */
export const HookResponse = z.object({
  id: z.string().meta({ format: 'uuid' }).nullable(),
  status: z.string().meta({ 'x-extensible-enum': HOOK_STATUSES }),
  detail: z.string().nullable(),
})
export type HookResponse = { id: string | null; status: HookStatus; detail: string | null }

/** Spec: Errors › Hook statuses. */
export const HOOK_STATUS_HTTP: Record<HookStatus, number> = {
  accepted: 202,
  duplicate: 200,
  invalid_json: 400,
  idempotency_key_too_long: 400,
  not_in_plan: 403,
  not_found: 404,
  method_not_allowed: 405,
  flow_off: 409,
  flow_not_listening: 409,
  channel_unavailable: 409,
  opted_out: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_phone: 422,
  rate_limited: 429,
  template_limit_reached: 429,
  customer_limit_reached: 429,
  service_unavailable: 503,
}
