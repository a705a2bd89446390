/** Maps refusals to HTTP statuses, the only place that does. Every response is a problem (RFC 9457). */
import type { Context as Hc } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { Problem } from '../contract/dashboard/problem.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { isLockTimeout } from '../infra/database/transaction.ts'
import { fact } from '../core/facts/fact.ts'
import { BODY_LIMITS, DASHBOARD_LIMITS } from '../core/limits/http.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import type { ProblemCode } from '../core/vocabulary/problems.ts'
import { problemTitles } from '../i18n/problem-titles.ts'
import { sayIn } from '../i18n/write-text.ts'
import { formatFact } from '../i18n/format-fact.ts'
import { setContentLanguage } from './localize.ts'
import type { DashboardEnv } from './dashboard-api/env.ts'

/** The HTTP status of each problem code. */
export const PROBLEM_STATUS: Record<ProblemCode, ContentfulStatusCode> = {
  invalid_json: 400,
  invalid: 422,
  not_signed_in: 401,
  sign_in_failed: 401,
  password_needed: 403,
  second_factor_needed: 403,
  forbidden: 403,
  wrong_origin: 403,
  not_in_plan: 403,
  not_found: 404,
  not_available: 404,
  conflict: 409,
  stale: 409,
  limit_reached: 409,
  flow_off: 409,
  flow_not_listening: 409,
  channel_unavailable: 409,
  opted_out: 409,
  outside_service_window: 409,
  not_sendable: 409,
  slot_taken: 409,
  too_late: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  account_moved: 410,
  provider_failed: 502,
  internal_error: 500,
  service_unavailable: 503,
}

type Deps = { log: Logger; publicUrl(): string }

/** Creates the handler that turns any thrown error into a problem response. Unexpected errors are logged. */
export function createErrorAnswer({ log, publicUrl }: Deps) {
  return (thrown: Error, c: Hc<DashboardEnv>): Response => {
    const requestId = c.get('requestId')
    const refusal = asRefusal(thrown)
    if (isForTheOperator(refusal)) {
      log.error({ err: thrown, requestId }, 'a request failed')
    } else {
      log.debug({ requestId, errors: limitErrors(refusal) }, 'errors of a refused request')
    }
    const { language } = c.var
    const problem = problemOf(refusal, { language, requestId, publicUrl: publicUrl() })
    const status = PROBLEM_STATUS[refusal.code]
    const ms = Math.round(performance.now() - c.get('startedMs'))
    const { code, reason } = refusal
    log.info(
      { requestId, method: c.req.method, route: routeOf(c), status, ms, code, reason: reason.code },
      'a request was refused',
    )
    setContentLanguage(c, language)
    if (refusal.retryAfterMs !== null) {
      c.header('retry-after', String(Math.ceil(refusal.retryAfterMs / 1_000)))
    }
    // A body that was not read to its end cannot be followed by another request.
    if (!c.env.incoming.complete) c.header('connection', 'close')
    return c.body(JSON.stringify(problem), status, { 'content-type': PROBLEM_TYPE })
  }
}

/** Returns the route pattern of the address, which contains no token and no id; null where no route matches. */
function routeOf(c: Hc<DashboardEnv>): string | null {
  return matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path ?? null
}

/** The media type of problem responses. */
export const PROBLEM_TYPE = 'application/problem+json'

/** Limits the errors of a body, so that the response and the log line stay short. */
const limitErrors = ({ errors }: ServiceError) =>
  errors?.slice(0, DASHBOARD_LIMITS.fieldErrors) ?? null

/** Converts a refusal to a problem response (RFC 9457) in the client's language. */
export function problemOf(
  refusal: ServiceError,
  about: { language: Language; requestId: string; publicUrl: string },
): Problem {
  const { code, reason } = refusal
  const { language, requestId, publicUrl } = about
  return {
    type: `${publicUrl}/errors#${code}`,
    title: sayIn(problemTitles, language)(code),
    status: PROBLEM_STATUS[code],
    detail: formatFact(reason, language),
    code,
    reason: reason.code,
    params: reason.params,
    requestId,
    errors:
      limitErrors(refusal)?.map((error) => ({ ...error, message: formatFact(error, language) })) ??
      null,
  }
}

/** Converts any thrown error to a refusal: unavailable, busy, or an internal error. */
export function asRefusal(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  if (isDatabaseUnavailable(thrown)) {
    return new ServiceError('service_unavailable', fact('database_away'), { cause: thrown })
  }
  if (isLockTimeout(thrown)) {
    const { retryAfterMs } = BODY_LIMITS
    return new ServiceError('service_unavailable', fact('database_busy'), {
      cause: thrown,
      retryAfterMs,
    })
  }
  return new ServiceError('internal_error', fact('fault_of_ours'), { cause: thrown })
}

/**
 * Returns whether only the operator can find the cause: an error of this service, or a lock that was held too long.
 */
export const isForTheOperator = ({ code, reason }: ServiceError) =>
  code === 'internal_error' || reason.code === 'database_busy'
