import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { compactJson, cutCodePoints, isContainer, type JsonValue } from '../text/json-text.ts'

/** Deeper parts of a body are of no use for mapping fields. */
const MOST_LEVELS = 32

/**
 * Returns the copy of a body that is stored for mapping fields, as JSON text: long lists cut to their first 3 items,
 * long strings to their first 200 characters. No depth throws.
 * Spec: Hooks › Last request.
 */
export function keptShape(body: JsonValue): string {
  return compactJson(cut(body, 0))
}

function cut(value: JsonValue, level: number): JsonValue {
  if (typeof value === 'string') return cutCodePoints(value, HOOK_LIMITS.shapeStringChars)
  if (!isContainer(value)) return value
  if (level === MOST_LEVELS) return null
  if (Array.isArray(value)) {
    return value.slice(0, HOOK_LIMITS.shapeListItems).map((item) => cut(item, level + 1))
  }
  // `fromEntries` defines own members: a key such as `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      cutCodePoints(key, HOOK_LIMITS.shapeStringChars),
      cut(item, level + 1),
    ]),
  )
}
