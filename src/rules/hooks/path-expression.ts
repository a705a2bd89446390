import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { plainDecimal } from '../text/decimal.ts'
import { JsonNumber } from '../text/json-number.ts'
import {
  cleanText,
  compactJson,
  countCodePoints,
  isContainer,
  type JsonValue,
} from '../text/json-text.ts'
import { accept, refuse, type Result } from '../result.ts'

/** A step of a path: the name of a property as text, or the zero-based index of a list's item as number. */
export type PathStep = string | number

/** The reasons for which a path is refused. */
export type PathRefusal =
  | 'empty'
  | 'too_long'
  | 'too_many_steps'
  | 'space'
  | 'empty_name'
  | 'bad_bracket'
  | 'bad_position'

/**
 * Parses a path such as `$.order.items[0].name` when settings are saved. A leading `$` or `$.` is ignored. Names are
 * literal, including `*` and a later `$`. An index has plain digits without leading zeros. Spec: Hooks › Path syntax.
 */
export function readPathExpression(text: string): Result<PathStep[], PathRefusal> {
  if (text.length > HOOK_LIMITS.pathChars * 2) return refuse('too_long')
  if (countCodePoints(text) > HOOK_LIMITS.pathChars) return refuse('too_long')
  if (/\s/.test(text)) return refuse('space')
  const path = text.replace(/^\$\.?/, '')
  if (path === '') return refuse('empty')
  const steps: PathStep[] = []
  let at = 0
  while (at < path.length) {
    if (path[at] === '[') {
      const close = path.indexOf(']', at)
      if (close === -1) return refuse('bad_bracket')
      const position = path.slice(at + 1, close)
      if (!/^(0|[1-9][0-9]*)$/.test(position)) return refuse('bad_position')
      steps.push(Number(position))
      at = close + 1
    } else {
      // A dot separates steps, so it precedes every name except the first.
      if (steps.length > 0) {
        if (path[at] !== '.') return refuse('bad_bracket')
        at++
      }
      const name = /^[^.[\]]*/.exec(path.slice(at))?.[0] ?? ''
      if (name === '') return refuse(path[at] === ']' ? 'bad_bracket' : 'empty_name')
      steps.push(name)
      at += name.length
    }
  }
  return steps.length > HOOK_LIMITS.pathSteps ? refuse('too_many_steps') : accept(steps)
}

/**
 * Reads a value of a JSON document as trimmed text; empty when it is missing, null or blank. Finds only properties of
 * the document (no `length`, no inherited names). Never throws. Spec: Hooks › Path syntax.
 */
export function readAt(json: JsonValue, path: readonly PathStep[]): string {
  return valueText(findAt(json, path))
}

/** Returns the value at a path; undefined when there is none. */
export function findAt(json: JsonValue, path: readonly PathStep[]): JsonValue | undefined {
  let value: JsonValue | undefined = json
  for (const step of path) {
    if (!isContainer(value)) return undefined
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined
    else value = typeof step === 'string' && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/**
 * Returns the text of a value: a string trimmed, an object or list as compact JSON, any other value as it is written.
 */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return cleanText(value).trim()
  return compactJson(value)
}

/**
 * Returns the text of a value that may be a phone number. Some programs write the digits as `966501112233.0` or
 * `9.66501112233e11`.
 */
export function phoneText(value: JsonValue | undefined): string {
  if (isContainer(value)) return ''
  const text = valueText(value)
  return value instanceof JsonNumber ? (plainDecimal(text) ?? text) : text
}
