import type { z } from 'zod'
import { fact, type Fact, type FieldFact } from '../core/facts/fact.ts'
import type { FieldType, Unit } from '../core/facts/fields.ts'
import { DASHBOARD_LIMITS } from '../core/limits/http.ts'

/**
 * Returns zod's issues as fields with the rule that each breaks, such as `steps.tell.body[1]`. The list is limited,
 * because a body may have any number of issues.
 */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldFact[] {
  const max = DASHBOARD_LIMITS.fieldErrors
  const errors = issues.slice(0, max).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, max).map((key) => ({
        field: fieldPath([...issue.path, key]),
        ...fact('unknown_field'),
      }))
    }
    return [{ field: fieldPath(issue.path), ...ruleOf(issue) }]
  })
  return errors.slice(0, max)
}

/** Returns the fields of a value that break a schema, with the rule that each breaks. */
export function brokenFields(schema: z.ZodType, value: unknown): FieldFact[] {
  return fieldErrors(schema.safeParse(value).error?.issues ?? [])
}

/** Returns a path as text with dots and indexes: `steps.tell.body[1]`; `.` is the body itself. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? String(part) : `.${String(part)}`
  }
  return text === '' ? '.' : text
}

function ruleOf(issue: z.core.$ZodIssue): Fact {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith(' received undefined')
        ? fact('missing')
        : fact('wrong_type', { type: TYPES[issue.expected] ?? 'other' })
    case 'too_small':
      return fact('too_small', { min: Number(issue.minimum), unit: unitOf(issue.origin) })
    case 'too_big':
      return fact('too_big', { max: Number(issue.maximum), unit: unitOf(issue.origin) })
    case 'invalid_value':
      return fact('not_a_choice', { choices: issue.values.map(String) })
    case 'invalid_format':
      // A pattern of this project has the code of its rule as its message (`schemas/broken-rule`).
      return issue.format === 'regex' && /^[a-z_]+$/.test(issue.message)
        ? ({ code: issue.message, params: {} } as Fact)
        : (FORMATS[issue.format] ?? fact('wrong'))
    case 'custom':
      // A custom rule of this project carries its fact.
      return issue.params ? (issue.params as Fact) : fact('wrong')
    case 'invalid_union':
      return 'options' in issue && issue.options
        ? fact('not_a_choice', { choices: issue.options.map(String) })
        : fact('no_known_form')
    case 'not_multiple_of':
      return fact('not_a_multiple', { of: issue.divisor })
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? ruleOf(issue.issues[0]) : fact('wrong')
    case 'unrecognized_keys':
      return fact('wrong')
  }
}

const FORMATS: Record<string, Fact> = {
  email: fact('wrong_email'),
  url: fact('wrong_url'),
  uuid: fact('wrong_id'),
  datetime: fact('wrong_time'),
}

const TYPES: Record<string, FieldType> = {
  string: 'string',
  number: 'number',
  int: 'whole_number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  record: 'object',
  null: 'null',
  date: 'date',
}

const UNITS: Record<string, Unit> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  object: 'fields',
  record: 'fields',
}

const unitOf = (origin: string): Unit => UNITS[origin] ?? 'number'
