import { CALL_LIMITS } from '../limits.ts'
import { judgeCallBody, type CallBodyRefusal } from './call-body.ts'
import { breaksHeader, judgeHeaderName, type HeaderNameRefusal } from './call-headers.ts'
import { judgeCallPath, type CallPathRefusal } from './call-path.ts'
import { hasBrokenPlaceholder, placeholdersOf } from './call-placeholders.ts'
import { bodyOf, METHODS_WITH_BODY, type RequestDesign } from './fill-request.ts'

/** One fault of a request's design: where (`headers[0].name`), which rule, and a sentence after it. */
export type RequestFault = { field: string; code: string; message: string }

const PATH_REFUSED: Record<CallPathRefusal, string> = {
  no_slash: 'must start with /',
  two_slashes: 'must start with one / only',
  query: 'must have no query: give query parameters of their own',
  fragment: 'must have no #',
  bad_character: 'has a backslash or a control character',
  dot_segment: 'must have no . or .. segment',
  broken_placeholder: 'has {{ without a placeholder such as {{vars.name}}',
}

const BODY_REFUSED: Record<CallBodyRefusal, string> = {
  not_json: 'is not JSON',
  not_a_container: 'must be a JSON object or array',
  placeholder_outside_quotes: 'has a placeholder outside quotes: write "{{vars.name}}"',
  placeholder_in_name: 'has a placeholder in the name of a field: only values can have one',
  broken_placeholder: 'has {{ without a placeholder such as {{vars.name}}',
  too_large: `must have at most ${CALL_LIMITS.bodyBytes} bytes`,
}

export const HEADER_NAME_REFUSED: Record<HeaderNameRefusal, string> = {
  empty: 'is needed',
  bad_character: 'has a character that a header name cannot have',
  not_settable: 'cannot be set: the service writes this header itself, or never sends it',
}

const BROKEN = { code: 'broken_placeholder', message: PATH_REFUSED.broken_placeholder }

/**
 * What is wrong with the design of a request when it is saved or published; empty when nothing is.
 * `isKnown` tells whether a placeholder (`vars.order`, `args.id`, `identity`) can be filled here.
 * Spec: Calls › HTTP steps.
 */
export function judgeCallRequest(
  design: RequestDesign,
  isKnown: (placeholder: string) => boolean,
): RequestFault[] {
  const faults: RequestFault[] = []
  const look = (field: string, template: string) => {
    for (const name of placeholdersOf(template)) {
      if (isKnown(name)) continue
      const message = `has the placeholder {{${name}}}, which nothing fills here`
      faults.push({ field, code: 'unknown_placeholder', message })
    }
  }
  const path = judgeCallPath(design.path)
  if (path !== null) faults.push({ field: 'path', code: path, message: PATH_REFUSED[path] })
  look('path', design.path)

  for (const [index, { name, value }] of design.query.entries()) {
    const field = `query[${index}]`
    if (name === '') faults.push({ field: `${field}.name`, code: 'empty', message: 'is needed' })
    if (hasBrokenPlaceholder(name) || placeholdersOf(name).length > 0) {
      const message = 'must have no placeholder: only values can have one'
      faults.push({ field: `${field}.name`, code: 'placeholder_in_name', message })
    }
    if (hasBrokenPlaceholder(value)) faults.push({ field: `${field}.value`, ...BROKEN })
    look(`${field}.value`, value)
  }

  faults.push(...judgeHeaders(design.headers))
  for (const [index, { value }] of design.headers.entries()) {
    const field = `headers[${index}].value`
    if (hasBrokenPlaceholder(value)) faults.push({ field, ...BROKEN })
    look(field, value)
  }

  const template = bodyOf(design)
  if (template === null) return faults
  if (!METHODS_WITH_BODY.has(design.method)) {
    const message = `must be empty: a ${design.method} request has no body`
    return [...faults, { field: 'body', code: 'no_body', message }]
  }
  const body = judgeCallBody(template)
  if (body !== null) faults.push({ field: 'body', code: body, message: BODY_REFUSED[body] })
  look('body', template)
  return faults
}

/** The rules that a connection's default headers have too: names that may be set, each once. */
export function judgeHeaders(headers: RequestDesign['headers']): RequestFault[] {
  const faults: RequestFault[] = []
  const seen = new Set<string>()
  for (const [index, { name, value }] of headers.entries()) {
    const field = `headers[${index}]`
    const refusal = judgeHeaderName(name)
    if (refusal !== null) {
      const message = HEADER_NAME_REFUSED[refusal]
      faults.push({ field: `${field}.name`, code: refusal, message })
    } else if (seen.has(name.toLowerCase())) {
      faults.push({ field: `${field}.name`, code: 'twice', message: 'is there twice' })
    }
    seen.add(name.toLowerCase())
    if (breaksHeader(value)) {
      const message = 'has a line break or another control character'
      faults.push({ field: `${field}.value`, code: 'bad_character', message })
    }
  }
  return faults
}
