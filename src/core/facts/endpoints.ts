import type { None } from './none.ts'

/** Reasons why changes to endpoints are refused, and why an endpoint is off. */
export type EndpointFacts = {
  no_such_endpoint: None
  endpoint_is_off: None
  endpoint_is_deleted: None
  endpoint_changed: None
  webhooks_not_in_plan: { plan: string }
  endpoints_used_up: { max: number }
  url_cannot_be_used: None
  endpoint_off_failures_in_row: { failures: number }
  endpoint_off_failing_for_days: { days: number }
  endpoint_off_gone: None
  endpoint_off_by_member: None
  endpoint_on: None
  /** `count` deliveries, or more, wait until a member sends them; `tried` of those counted had attempts before. */
  endpoint_on_with_held: { count: number; isMore: boolean; tried: number; days: number }
}
