import { CALL_LIMITS } from '../../core/limits/calls.ts'
import {
  fillCallTemplate,
  hasBrokenPlaceholder,
  placeholdersOf,
  withoutPlaceholders,
  type CallValues,
} from './call-placeholders.ts'
import { readJson } from '../text/json-text.ts'
import { accept, refuse, type Result } from '../result.ts'

/** The reasons for which a body cannot be saved. */
export type CallBodyRefusal =
  | 'not_json'
  | 'not_a_container'
  | 'placeholder_outside_quotes'
  | 'placeholder_in_name'
  | 'broken_placeholder'
  | 'too_large'

/** Matches the strings of a valid JSON text, each with the colon that makes it a name. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/**
 * Validates the body of a step or an action when it is saved. A body is a JSON object or array with every placeholder
 * inside the quotes of a value. Returns null for a valid body. Spec: Calls › HTTP steps.
 */
export function validateCallBody(body: string): CallBodyRefusal | null {
  if (byteLength(body) > CALL_LIMITS.bodyBytes) return 'too_large'
  // The letter completes no JSON word and no escape, so it is an error outside quotes.
  const sample = readJson(withoutPlaceholders(body, 'x'), { mustBeContainer: true })
  if (!sample.ok) {
    if (sample.reason === 'not_a_container') return 'not_a_container'
    const isOutside = readJson(withoutPlaceholders(body, '1')).ok && placeholdersOf(body).length > 0
    return isOutside ? 'placeholder_outside_quotes' : 'not_json'
  }
  for (const [text, colon] of body.matchAll(STRINGS)) {
    if (hasBrokenPlaceholder(text)) return 'broken_placeholder'
    // A customer's text must not choose the field.
    if (colon !== undefined && placeholdersOf(text).length > 0) return 'placeholder_in_name'
  }
  return null
}

/**
 * Fills the placeholders of a call's JSON body. Every value becomes an escaped JSON string. Spec: Calls › HTTP steps.
 */
export function fillCallBody(
  body: string,
  values: CallValues,
): Result<string, 'body_refused' | 'body_too_large'> {
  const refusal = validateCallBody(body)
  if (refusal !== null) return refuse(refusal === 'too_large' ? 'body_too_large' : 'body_refused')
  const filled = fillCallTemplate(body, values, {
    inserted: (value) => JSON.stringify(value).slice(1, -1),
    maxChars: CALL_LIMITS.bodyBytes,
  })
  if (!filled.ok || byteLength(filled.text) > CALL_LIMITS.bodyBytes) return refuse('body_too_large')
  return readJson(filled.text).ok ? accept(filled.text) : refuse('body_refused')
}

const utf8 = new TextEncoder()
const byteLength = (text: string): number => utf8.encode(text).length
