import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { compactJson, cutCodePoints, isContainer, type JsonValue } from '../text/json-text.ts'

/** The limit of nesting; deeper parts are useless for mapping fields. */
const MAX_LEVELS = 32

/**
 * Returns the shortened copy of a hook's body that is stored for mapping fields: lists cut to 3 items, strings to 200
 * characters. No depth throws. Spec: Hooks › Last request.
 */
export function keptShape(body: JsonValue): string {
  return compactJson(cut(body, 0))
}

function cut(value: JsonValue, level: number): JsonValue {
  if (typeof value === 'string') return cutCodePoints(value, HOOK_LIMITS.shapeStringChars)
  if (!isContainer(value)) return value
  if (level === MAX_LEVELS) return null
  if (Array.isArray(value)) {
    return value.slice(0, HOOK_LIMITS.shapeListItems).map((item) => cut(item, level + 1))
  }
  // `fromEntries` defines own properties, so that a key such as `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      cutCodePoints(key, HOOK_LIMITS.shapeStringChars),
      cut(item, level + 1),
    ]),
  )
}
