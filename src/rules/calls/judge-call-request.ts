import { fact, type Fact, type FieldFact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { validateCallBody, type CallBodyRefusal } from './call-body.ts'
import { breaksHeader, validateHeaderName, type HeaderNameRefusal } from './call-headers.ts'
import { validateCallPath } from './call-path.ts'
import { hasBrokenPlaceholder, placeholdersOf } from './call-placeholders.ts'
import { bodyOf, METHODS_WITH_BODY, type RequestDesign } from './fill-request.ts'

/** An issue of a request's design: its field (`headers[0].name`) and the rule. */
export type RequestFault = FieldFact

function bodyRefused(refusal: CallBodyRefusal): Fact {
  return refusal === 'too_large'
    ? fact('too_large', { most: CALL_LIMITS.bodyBytes })
    : fact(refusal)
}

export function headerNameRefused(refusal: HeaderNameRefusal): Fact {
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
): RequestFault[] {
  const faults: RequestFault[] = []
  const look = (field: string, template: string) => {
    for (const name of placeholdersOf(template)) {
      if (isKnown(name)) continue
      faults.push({ field, ...fact('unknown_placeholder', { placeholder: name }) })
    }
  }
  const path = validateCallPath(design.path)
  if (path !== null) faults.push({ field: 'path', ...fact(path) })
  look('path', design.path)

  for (const [index, { name, value }] of design.query.entries()) {
    const field = `query[${index}]`
    if (name === '') faults.push({ field: `${field}.name`, ...fact('missing') })
    if (hasBrokenPlaceholder(name) || placeholdersOf(name).length > 0) {
      faults.push({ field: `${field}.name`, ...fact('placeholder_in_name') })
    }
    if (hasBrokenPlaceholder(value))
      faults.push({ field: `${field}.value`, ...fact('broken_placeholder') })
    look(`${field}.value`, value)
  }

  faults.push(...validateHeaders(design.headers))
  for (const [index, { value }] of design.headers.entries()) {
    const field = `headers[${index}].value`
    if (hasBrokenPlaceholder(value)) faults.push({ field, ...fact('broken_placeholder') })
    look(field, value)
  }

  const template = bodyOf(design)
  if (template === null) return faults
  if (!METHODS_WITH_BODY.has(design.method)) {
    return [...faults, { field: 'body', ...fact('no_body', { method: design.method }) }]
  }
  const body = validateCallBody(template)
  if (body !== null) faults.push({ field: 'body', ...bodyRefused(body) })
  look('body', template)
  return faults
}

/**
 * Returns the issues of headers by the rules that also apply to a connection's default headers: settable names, each
 * once.
 */
export function validateHeaders(headers: RequestDesign['headers']): RequestFault[] {
  const faults: RequestFault[] = []
  const seen = new Set<string>()
  for (const [index, { name, value }] of headers.entries()) {
    const field = `headers[${index}]`
    const refusal = validateHeaderName(name)
    if (refusal !== null) {
      faults.push({ field: `${field}.name`, ...headerNameRefused(refusal) })
    } else if (seen.has(name.toLowerCase())) {
      faults.push({ field: `${field}.name`, ...fact('twice') })
    }
    seen.add(name.toLowerCase())
    if (breaksHeader(value)) {
      faults.push({ field: `${field}.value`, ...fact('control_character') })
    }
  }
  return faults
}
