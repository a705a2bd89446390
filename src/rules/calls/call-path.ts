import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { fillCallTemplate, hasBrokenPlaceholder, type CallValues } from './call-placeholders.ts'
import { cleanText } from '../text/json-text.ts'
import { hasDotSegment } from '../addresses/merchant-url.ts'
import { accept, refuse, type Result } from '../result.ts'

/** The reasons for which a path cannot be saved. */
export type CallPathRefusal =
  | 'no_slash'
  | 'two_slashes'
  | 'query'
  | 'fragment'
  | 'bad_character'
  | 'dot_segment'
  | 'broken_placeholder'

/**
 * Validates the path of a step or an action when it is saved. Returns null for a valid path. Spec: Calls › HTTP steps.
 */
export function validateCallPath(path: string): CallPathRefusal | null {
  if (!path.startsWith('/')) return 'no_slash'
  if (path.startsWith('//')) return 'two_slashes'
  if (hasBrokenPlaceholder(path)) return 'broken_placeholder'
  if (path.includes('?')) return 'query'
  if (path.includes('#')) return 'fragment'
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return 'bad_character'
  return hasDotSegment(path) ? 'dot_segment' : null
}

/**
 * Returns a value with all characters percent-encoded except letters, digits, `-`, `.`, `_` and `~`, so that it adds
 * no syntax to a URL. A value `.` or `..` does not change: as a segment of a path, `fillCallPath` refuses it.
 */
export function encodeValue(value: string): string {
  return encodeURIComponent(cleanText(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Matches characters that a path must encode. Valid escapes stay; a `%` that encodes nothing is escaped. */
const NOT_OF_A_PATH = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu

const encodeLiteral = (text: string): string =>
  cleanText(text).replace(NOT_OF_A_PATH, (character) => encodeURIComponent(character))

/** Returns null for a value that could leave its segment or would leave it empty. */
const insertValue = (value: string): string | null =>
  value === '' || /[/\\]|\.\./.test(value) ? null : encodeValue(value)

/**
 * Fills the placeholders of a call's path, percent-encoded. Refuses with `path_value_refused` when a value is empty or
 * holds `/`, `\` or `..`, or when the result has a `.` or `..` segment in any spelling. Spec: Calls › Filling in.
 */
export function fillCallPath(
  path: string,
  values: CallValues,
): Result<string, 'path_refused' | 'path_value_refused' | 'path_too_long'> {
  if (validateCallPath(path) !== null) return refuse('path_refused')
  const filled = fillCallTemplate(path, values, {
    literal: encodeLiteral,
    inserted: insertValue,
    maxChars: CALL_LIMITS.pathAndQueryChars,
  })
  if (!filled.ok) {
    return refuse(filled.reason === 'too_long' ? 'path_too_long' : 'path_value_refused')
  }
  return hasDotSegment(filled.text) ? refuse('path_value_refused') : accept(filled.text)
}
