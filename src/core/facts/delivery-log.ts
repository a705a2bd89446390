import type { AttemptError, ResendJobReason, ResendJobState } from '../vocabulary/deliveries.ts'
import type { None } from './none.ts'

/** The next step for a person when a delivery ended undelivered. */
export type WhatNow =
  | 'send_another_test'
  | 'endpoint_deleted'
  | 'back_to_plan'
  | 'resend'
  | 'switch_on'
  | 'resend_untried'
  | 'switch_on_untried'
  | 'resend_delivered'
  | 'resend_waits'

/** The errors of an attempt whose facts have no parameters. */
type PlainError = Exclude<AttemptError, 'http_error' | 'connect_timeout' | 'timeout'>

/** The delivery log: reasons of a delivery's state, explanations of an attempt's error, and next steps. */
export type DeliveryLogFacts = {
  no_such_delivery: None
  test_not_resent: None
  event_too_old: { days: number }
  tests_and_resends_a_minute: { max: number; freeAt: string }
  log_watchers: { max: number }
  session_watchers: { max: number }
  server_watchers: { max: number }
  no_such_job: None
  job_over: { state: ResendJobState }
  job_under_way: None

  delivery_waits: None
  delivery_waits_again: { attempts: number; dueAt: string }
  delivery_delivered: None
  delivery_dead: { why: 'test' | 'gone' | 'all_failed'; attempts: number; now: WhatNow }
  /** `attempts` were made before it was held. */
  delivery_held: { why: 'plan' | 'off' | 'was_off'; attempts: number; days: number }
  delivery_superseded: None
  delivery_cancelled: None
  delivery_expired: { days: number; now: WhatNow }

  attempt_http_error: { status: number }
  attempt_connect_timeout: { seconds: number }
  attempt_timeout: { seconds: number }
  hint_connect_timeout: None
  hint_timeout: None
  hint_http_400: None
  hint_http_401: None
  hint_http_403: None
  hint_http_404: None
  hint_http_405: None
  hint_http_413: { kilobytes: number }
  hint_http_415: None
  hint_http_429: None
  hint_http_5xx: None
  hint_http_other: None
} & { [E in PlainError as `attempt_${E}`]: None } & { [E in PlainError as `hint_${E}`]: None } & {
  [R in ResendJobReason as `job_${R}`]: None
}
