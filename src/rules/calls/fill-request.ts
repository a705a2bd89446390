import { CALL_LIMITS } from '../../core/limits/calls.ts'
import type { CallMethod, CallNotMade } from '../../core/vocabulary/calls.ts'
import { fillCallBody } from './call-body.ts'
import { breaksHeader, validateHeaderName, setHeader } from './call-headers.ts'
import { encodeValue, fillCallPath } from './call-path.ts'
import { fillCallTemplate, type CallValues } from './call-placeholders.ts'

/** A design of a request, as `schemas/call-request` reads it. */
export type RequestDesign = {
  method: CallMethod
  path: string
  query: readonly { name: string; value: string }[]
  headers: readonly { name: string; value: string }[]
  /** Null or only white space when the request has no body. */
  body: string | null
}

/** Returns the template of a design's body; null when it has none. */
export function bodyOf({ body }: Pick<RequestDesign, 'body'>): string | null {
  return body === null || body.trim() === '' ? null : body
}

/** A request filled in, without base URL and credential. */
export type FilledRequest = {
  /** Percent-encoded, begins with `/`. */
  path: string
  /** Percent-encoded names and values; empty values are left out. */
  query: [string, string][]
  /** Names differ from each other in more than letter case. */
  headers: [string, string][]
  body: string | null
}

/** A refused design. `field` is the path of the value, such as `headers[2].value`. */
export type FillRefused = {
  ok: false
  reason: Extract<
    CallNotMade,
    | 'path_refused'
    | 'path_value_refused'
    | 'path_too_long'
    | 'header_refused'
    | 'body_refused'
    | 'body_too_large'
  >
  field: string
}

/** The methods whose requests may have a body. */
export const METHODS_WITH_BODY: ReadonlySet<CallMethod> = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Fills the placeholders of a call's path, headers and body. A value cannot leave its path segment, query value, header
 * value or JSON string. Validates the design again, so that no call is made from a design that could not be saved.
 * Spec: Calls › Filling in.
 */
export function fillRequest(
  design: RequestDesign,
  values: CallValues,
): { ok: true; value: FilledRequest } | FillRefused {
  const path = fillCallPath(design.path, values)
  if (!path.ok) return { ok: false, reason: path.reason, field: 'path' }

  const query: [string, string][] = []
  let chars = path.value.length
  for (const [index, { name, value }] of design.query.entries()) {
    const left = CALL_LIMITS.pathAndQueryChars - chars
    const filled = fillCallTemplate(value, values, { maxChars: CALL_LIMITS.pathAndQueryChars })
    const pair: [string, string] = [encodeValue(name), filled.ok ? encodeValue(filled.text) : '']
    const length = pair[0].length + pair[1].length + '?='.length
    if (!filled.ok || (pair[1] !== '' && length > left)) {
      return { ok: false, reason: 'path_too_long', field: `query[${index}].value` }
    }
    if (pair[1] === '') continue
    query.push(pair)
    chars += length
  }

  let headers: [string, string][] = []
  for (const [index, { name, value }] of design.headers.entries()) {
    const filled = fillCallTemplate(value, values, { maxChars: CALL_LIMITS.headerValueChars })
    if (!filled.ok || validateHeaderName(name) !== null || breaksHeader(filled.text)) {
      return { ok: false, reason: 'header_refused', field: `headers[${index}].value` }
    }
    headers = setHeader(headers, name, filled.text)
  }

  const template = bodyOf(design)
  if (template === null) return accepted({ path: path.value, query, headers, body: null })
  if (!METHODS_WITH_BODY.has(design.method)) {
    return { ok: false, reason: 'body_refused', field: 'body' }
  }
  const body = fillCallBody(template, values)
  if (!body.ok) return { ok: false, reason: body.reason, field: 'body' }
  return accepted({ path: path.value, query, headers, body: body.value })
}

const accepted = (value: FilledRequest) => ({ ok: true as const, value })
