/** Classifies an unsuccessful response by its status and the beginning of its body. */
import { SECOND_MS } from '../../core/limits/units.ts'
import type { ModelFailure } from './model.ts'

/** Messages by which servers refuse a request with more tokens than the model accepts. */
const TOO_LONG =
  /context[ _-]?(length|size|window)|maximum context|prompt is too long|too many (input )?tokens|input is too long|exceeds? the (available )?context|request_too_large/i
const FILTERED = /content_filter|content_policy|content management policy/i

/** Classifies a failed HTTP response of a model's server. */
export function classifyHttpFailure(status: number, body: string): ModelFailure {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status === 425 || status >= 500) return 'server_error'
  if (TOO_LONG.test(body)) return 'context_too_long'
  return FILTERED.test(body) ? 'filtered' : 'bad_request'
}

/** Returns the milliseconds of a `Retry-After` in seconds; null where there is none, or a date. */
export function readRetryAfter(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{1,6}(\.\d+)?$/.test(value.trim())) return null
  return Number(value) * SECOND_MS
}
