import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { fillTemplate, hasBrokenPlaceholder, type CallValues } from './call-placeholders.ts'
import { cleanText } from '../text/json-text.ts'
import { hasDotSegment } from '../addresses/merchant-url.ts'
import { accept, refuse, type Result } from '../result.ts'

/** Why a path cannot be saved. */
export type CallPathRefusal =
  | 'no_slash'
  | 'two_slashes'
  | 'query'
  | 'fragment'
  | 'bad_character'
  | 'dot_segment'
  | 'broken_placeholder'

/** Judges the path of a step or an action when it is saved. Spec: Calls › HTTP steps. */
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

/** Percent-encodes a value completely: it comes out as the value again and nothing else. */
export function encodeValue(value: string): string {
  return encodeURIComponent(cleanText(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** What may stand in a path stays, so does what is encoded already; a `%` that encodes nothing is one. */
const NOT_OF_A_PATH = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu

const encodeLiteral = (text: string): string =>
  cleanText(text).replace(NOT_OF_A_PATH, (character) => encodeURIComponent(character))

/** A value that could leave its segment, or would leave it empty, is never sent. */
const insertValue = (value: string): string | null =>
  value === '' || /[/\\]|\.\./.test(value) ? null : encodeValue(value)

/**
 * Fills in a path, percent-encoded. `value_refused`: a value is empty or holds `/`, `\` or `..`, or
 * what came out has a `.` or `..` segment in some spelling. Spec: Calls › Filling in.
 */
export function fillCallPath(
  path: string,
  values: CallValues,
): Result<string, 'path_refused' | 'path_value_refused' | 'path_too_long'> {
  if (validateCallPath(path) !== null) return refuse('path_refused')
  const filled = fillTemplate(path, values, {
    literal: encodeLiteral,
    inserted: insertValue,
    mostChars: CALL_LIMITS.pathAndQueryChars,
  })
  if (!filled.ok) {
    return refuse(filled.reason === 'too_long' ? 'path_too_long' : 'path_value_refused')
  }
  return hasDotSegment(filled.text) ? refuse('path_value_refused') : accept(filled.text)
}
