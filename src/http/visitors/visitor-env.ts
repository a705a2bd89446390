import type { HttpBindings } from '@hono/node-server'
import type { Context as Hc } from 'hono'

import { fact } from '../../core/facts/fact.ts'
import type { TimeSlicer } from '../../modules/inbound/time-slicer.ts'
import { BODY_LIMITS } from '../../core/limits/http.ts'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { LANGUAGES, type Language } from '../../core/vocabulary/hooks.ts'
import type { AddressLimit } from '../ip-rate-limiter.ts'
import { setContentLanguage } from '../localize.ts'
import type { BodyBudget } from '../body-memory-budget.ts'

import type { HttpDeps } from '../http-deps.ts'
import { withBody } from '../read-body.ts'

/** The environment of the routes of widgets and forms. */
export type VisitorEnv = {
  Bindings: HttpBindings
  Variables: {
    context: HttpDeps
    requestId: string
    language: Language
    /** The address that the request is counted for. */
    address: string
  }
}
export type VisitorContext = Hc<VisitorEnv>

/**
 * Sets the common variables and headers of a request, and counts it for its address unless `limit` is null.
 * @throws rate_limited
 */
export function beginVisitorRequest(c: VisitorContext, deps: HttpDeps, limit: AddressLimit | null) {
  const language = LANGUAGES.find((one) => one === c.req.query('lang'))
  if (language) c.set('language', language)
  setContentLanguage(c, c.var.language)
  c.header('cache-control', 'no-store')
  c.set('context', deps)
  c.set('address', deps.clientAddress(c.env.incoming))
  if (limit && !limit.admit(c.var.address, deps.clock.now())) {
    throw new ServiceError('rate_limited', fact('too_many_requests'), { retryAfterMs: MINUTE_MS })
  }
}

/** Reads a whole body, in time slices (`slicer`) if it may be large. @throws payload_too_large, service_unavailable */
export function readBytes(
  c: VisitorContext,
  { limit, ...limits }: { limit: number; budget: BodyBudget; slicer?: TimeSlicer },
): Promise<Buffer> {
  const sender = { address: c.var.address, isKnown: false }
  return withBody(c.env.incoming, { limit, ...limits, sender }, (body) => {
    if (body === 'too_large') {
      throw new ServiceError('payload_too_large', fact('body_too_large', { max: limit }))
    }
    if (typeof body === 'string') {
      const why = fact(body === 'no_memory' ? 'too_many_bodies' : 'body_too_slow')
      throw new ServiceError('service_unavailable', why, { retryAfterMs: BODY_LIMITS.retryAfterMs })
    }
    return Promise.resolve(body)
  })
}

/** Returns the parsed JSON of a body in UTF-8. @throws invalid_json */
export function parseJsonBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch (error) {
    throw new ServiceError('invalid_json', fact('body_not_json'), { cause: error })
  }
}

/**
 * Sets the CORS headers by which a page of an allowed site, and no other, may read the response. Returns whether the
 * site of the request is allowed; a request without an origin is.
 */
export function admitSite(c: VisitorContext, origins: readonly string[]): boolean {
  const origin = c.req.header('origin')
  c.header('vary', 'Origin')
  if (origin === undefined) return true
  if (!origins.includes(origin)) return false
  c.header('access-control-allow-origin', origin)
  return true
}
