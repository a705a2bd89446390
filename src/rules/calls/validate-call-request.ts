import { fact, type Fact, type FieldFact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { validateCallBody, type CallBodyRefusal } from './call-body.ts'
import { breaksHeader, validateHeaderName, type HeaderNameRefusal } from './call-headers.ts'
import { validateCallPath } from './call-path.ts'
import { hasBrokenPlaceholder, placeholdersOf } from './call-placeholders.ts'
import { bodyOf, METHODS_WITH_BODY, type RequestDesign } from './fill-request.ts'

/** An issue of a request's design: its field (`headers[0].name`) and the rule. */
export type RequestIssue = FieldFact

function bodyRefused(refusal: CallBodyRefusal): Fact {
  return refusal === 'too_large' ? fact('too_large', { max: CALL_LIMITS.bodyBytes }) : fact(refusal)
}

/** Converts a refused header name to the fact for its author. */
export function headerRefusalFact(refusal: HeaderNameRefusal): Fact {
  switch (refusal) {
    case 'empty':
      return fact('missing')
    case 'bad_character':
      return fact('bad_name_character')
    case 'not_settable':
      return fact('not_settable')
  }
}

/**
 * Returns the issues of a request's design when it is saved or published; empty when it has none. `isKnown` decides
 * whether a placeholder (`vars.order`, `args.id`, `identity`) can be filled here.
 * Spec: Calls › HTTP steps.
 */
export function validateCallRequest(
  design: RequestDesign,
  isKnown: (placeholder: string) => boolean,
): RequestIssue[] {
  const issues: RequestIssue[] = []
  const look = (field: string, template: string) => {
    for (const name of placeholdersOf(template)) {
      if (isKnown(name)) continue
      issues.push({ field, ...fact('unknown_placeholder', { placeholder: name }) })
    }
  }
  const path = validateCallPath(design.path)
  if (path !== null) issues.push({ field: 'path', ...fact(path) })
  look('path', design.path)

  for (const [index, { name, value }] of design.query.entries()) {
    const field = `query[${index}]`
    if (name === '') issues.push({ field: `${field}.name`, ...fact('missing') })
    if (hasBrokenPlaceholder(name) || placeholdersOf(name).length > 0) {
      issues.push({ field: `${field}.name`, ...fact('placeholder_in_name') })
    }
    if (hasBrokenPlaceholder(value))
      issues.push({ field: `${field}.value`, ...fact('broken_placeholder') })
    look(`${field}.value`, value)
  }

  issues.push(...validateHeaders(design.headers))
  for (const [index, { value }] of design.headers.entries()) {
    const field = `headers[${index}].value`
    if (hasBrokenPlaceholder(value)) issues.push({ field, ...fact('broken_placeholder') })
    look(field, value)
  }

  const template = bodyOf(design)
  if (template === null) return issues
  if (!METHODS_WITH_BODY.has(design.method)) {
    return [...issues, { field: 'body', ...fact('no_body', { method: design.method }) }]
  }
  const body = validateCallBody(template)
  if (body !== null) issues.push({ field: 'body', ...bodyRefused(body) })
  look('body', template)
  return issues
}

/**
 * Returns the issues of headers by the rules that also apply to a connection's default headers: settable names, each
 * once.
 */
export function validateHeaders(headers: RequestDesign['headers']): RequestIssue[] {
  const issues: RequestIssue[] = []
  const seen = new Set<string>()
  for (const [index, { name, value }] of headers.entries()) {
    const field = `headers[${index}]`
    const refusal = validateHeaderName(name)
    if (refusal !== null) {
      issues.push({ field: `${field}.name`, ...headerRefusalFact(refusal) })
    } else if (seen.has(name.toLowerCase())) {
      issues.push({ field: `${field}.name`, ...fact('twice') })
    }
    seen.add(name.toLowerCase())
    if (breaksHeader(value)) {
      issues.push({ field: `${field}.value`, ...fact('control_character') })
    }
  }
  return issues
}
