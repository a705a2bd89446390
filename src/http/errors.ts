/** The only place that knows which status a refusal has. Every answer is a problem (RFC 9457). */
import type { Context as Hc } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { isDatabaseAway } from '../database/database-away.ts'
import { ServiceError, type FieldError } from '../service-error.ts'
import type { ProblemCode } from '../vocabulary.ts'
import type { DashboardEnv } from './dashboard-api/env.ts'

/** Spec: Errors › Problems. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string | null
  code: ProblemCode
  requestId: string
  errors: readonly FieldError[] | null
}

export const PROBLEMS: Record<ProblemCode, { status: ContentfulStatusCode; title: string }> = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  invalid: { status: 422, title: 'Some fields are not as they must be' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  sign_in_failed: { status: 401, title: 'Wrong e-mail address or password' },
  password_needed: { status: 403, title: 'The password must be entered again' },
  forbidden: { status: 403, title: 'Not allowed' },
  wrong_origin: { status: 403, title: 'The request comes from another site' },
  not_in_plan: { status: 403, title: 'Not part of the plan' },
  not_found: { status: 404, title: 'Not found' },
  not_available: { status: 404, title: 'Not available' },
  conflict: { status: 409, title: 'Not possible as things are' },
  stale: { status: 409, title: 'Changed by someone else meanwhile' },
  limit_reached: { status: 409, title: 'A limit is reached' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  rate_limited: { status: 429, title: 'Too many requests' },
  provider_failed: { status: 502, title: 'The provider did not do it' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  service_unavailable: { status: 503, title: 'Not available for the moment' },
}

type Deps = { log: Logger; publicUrl(): string }

/** Turns whatever was thrown into a problem; what no room threw on purpose is logged. */
export function createErrorAnswer({ log, publicUrl }: Deps) {
  return (thrown: Error, c: Hc<DashboardEnv>): Response => {
    const requestId = c.get('requestId')
    const refusal = asRefusal(thrown)
    if (refusal.code === 'internal_error') {
      log.error({ err: thrown, requestId }, 'a request failed')
    } else {
      log.debug({ requestId, code: refusal.code, detail: refusal.message }, 'a request was refused')
    }
    const { status, title } = PROBLEMS[refusal.code]
    const problem: Problem = {
      type: `${publicUrl()}/errors#${refusal.code}`,
      title,
      status,
      detail: refusal.message,
      code: refusal.code,
      requestId,
      errors: refusal.errors,
    }
    if (refusal.retryAfterMs !== null) {
      c.header('retry-after', String(Math.ceil(refusal.retryAfterMs / 1_000)))
    }
    // A body that was not read to its end cannot be followed by another request.
    if (!c.env.incoming.complete) c.header('connection', 'close')
    return c.body(JSON.stringify(problem), status, { 'content-type': 'application/problem+json' })
  }
}

function asRefusal(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  if (isDatabaseAway(thrown)) {
    return new ServiceError('service_unavailable', 'Try again in a minute.', { cause: thrown })
  }
  return new ServiceError('internal_error', 'Tell us the requestId and we can look it up.', {
    cause: thrown,
  })
}
