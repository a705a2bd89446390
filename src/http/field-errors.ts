import type { z } from 'zod'
import type { FieldError } from '../service-error.ts'

/** What zod found wrong, as fields with the rule each breaks: `steps.tell.body[1]`. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: fieldPath([...issue.path, key]),
        code: 'unknown_field',
        message: 'is not a field of this request',
      }))
    }
    return [{ field: fieldPath(issue.path), ...ruleOf(issue) }]
  })
}

/** A dot path as a program would write it; `.` is the body itself. */
function fieldPath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? String(part) : `.${String(part)}`
  }
  return text === '' ? '.' : text
}

/** The rule's name and a sentence that goes on after the field's name. */
function ruleOf(issue: z.core.$ZodIssue): { code: string; message: string } {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith(' received undefined')
        ? { code: 'missing', message: 'is needed' }
        : { code: 'wrong_type', message: `must be ${article(issue.expected)}` }
    case 'too_small':
      return {
        code: 'too_small',
        message: `must ${amount(issue.origin, 'at least', issue.minimum)}`,
      }
    case 'too_big':
      return { code: 'too_big', message: `must ${amount(issue.origin, 'at most', issue.maximum)}` }
    case 'invalid_value':
      return choice(issue.values)
    case 'invalid_format':
      return { code: 'wrong_format', message: FORMATS[issue.format] ?? issue.message }
    case 'custom':
      return { code: String(issue.params?.['code'] ?? 'wrong'), message: issue.message }
    case 'invalid_union':
      return 'options' in issue && issue.options
        ? choice(issue.options)
        : { code: 'not_a_choice', message: 'has none of the forms that are known here' }
    case 'not_multiple_of':
      return { code: 'wrong', message: `must be a multiple of ${issue.divisor}` }
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? ruleOf(issue.issues[0]) : { code: 'wrong', message: issue.message }
    case 'unrecognized_keys':
      return { code: 'wrong', message: issue.message }
  }
}

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address such as name@example.com',
  url: 'must be a URL',
  uuid: 'must be an id',
  datetime: 'must be a time such as 2026-11-21T09:00:00Z',
}

const UNITS: Record<string, string> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  object: 'fields',
  record: 'fields',
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  const unit = UNITS[origin]
  return unit ? `have ${bound} ${limit} ${unit}` : `be ${bound} ${limit}`
}

function choice(values: readonly unknown[]): { code: string; message: string } {
  const words = values.map(String).join(', ')
  return { code: 'not_a_choice', message: `must be ${values.length > 1 ? 'one of ' : ''}${words}` }
}

function article(type: string): string {
  const word = { int: 'whole number', record: 'object' }[type] ?? type
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}
