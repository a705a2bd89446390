import { accept, refuse, type Result } from '../result.ts'
import { JsonNumber } from './json-number.ts'
import { findMarkPositions, markNumbers, readMarks } from './written-numbers.ts'

/** JSON as it was received: a number that a double does not reproduce is a `JsonNumber`. */
export type JsonValue =
  | null
  | boolean
  | number
  | JsonNumber
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }

/** The reasons for which a text is refused as JSON. */
export type JsonRefusal = 'not_utf8' | 'not_json' | 'not_a_container'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses untrusted JSON and keeps numbers as they were written. Bytes must be UTF-8, a leading byte order mark is
 * ignored, repeated keys keep the last value, `__proto__` is an ordinary key, and no depth of nesting throws. With
 * `mustBeContainer` a top-level string, number, boolean or null is refused. Spec: readings H5, H22.
 */
export function readJson(
  input: Uint8Array | string,
  { mustBeContainer = false }: { mustBeContainer?: boolean } = {},
): Result<JsonValue, JsonRefusal> {
  let value: JsonValue
  try {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input
    const found = findMarkPositions(bytes)
    const text = decoder.decode(found === null ? bytes : markNumbers(bytes, found))
    value = JSON.parse(text) as JsonValue
    if (found !== null) value = readMarks(value, found) as JsonValue
  } catch (error) {
    return refuse(error instanceof TypeError ? 'not_utf8' : 'not_json')
  }
  if (mustBeContainer && !isContainer(value)) return refuse('not_a_container')
  return accept(value)
}

/** Returns whether a value is a list or an object. */
export function isContainer(
  value: JsonValue | undefined,
): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber)
}

type Frame = {
  container: JsonValue[] | Record<string, JsonValue>
  keys: string[] | null
  at: number
}

/**
 * Writes a value as compact JSON: no white space, Arabic unescaped, keys as read, numbers as
 * they were written. Texts are cleaned, so that the result can be stored
 * anywhere. Iterative: no depth throws. Spec: Hooks › Path syntax; reading H22.
 */
export function compactJson(root: JsonValue): string {
  return writeJson(root, () => '')
}

/** Writes a value as `JSON.stringify` does with an indent of two spaces, numbers as they were written. */
export function indentedJson(root: JsonValue): string {
  return writeJson(root, (depth) => `\n${'  '.repeat(depth)}`)
}

/** @param breakAt returns the white space before an item, and before the end of a container with items */
function writeJson(root: JsonValue, breakAt: (depth: number) => string): string {
  const colon = breakAt(0) === '' ? ':' : ': '
  let out = ''
  const frames: Frame[] = []
  const write = (value: JsonValue): void => {
    if (!isContainer(value)) {
      out += scalarJson(value)
      return
    }
    const isList = Array.isArray(value)
    out += isList ? '[' : '{'
    frames.push({ container: value, keys: isList ? null : Object.keys(value), at: 0 })
  }
  write(root)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { container, keys, at } = frame
    const length = keys === null ? (container as JsonValue[]).length : keys.length
    if (at === length) {
      if (length > 0) out += breakAt(frames.length - 1)
      out += keys === null ? ']' : '}'
      frames.pop()
      continue
    }
    if (at > 0) out += ','
    out += breakAt(frames.length)
    frame.at++
    if (keys === null) {
      write((container as JsonValue[])[at] as JsonValue)
    } else {
      const key = keys[at] as string
      out += `${JSON.stringify(cleanText(key))}${colon}`
      write((container as Record<string, JsonValue>)[key] as JsonValue)
    }
  }
  return out
}

function scalarJson(value: null | boolean | number | JsonNumber | string): string {
  if (typeof value === 'string') return JSON.stringify(cleanText(value))
  return value instanceof JsonNumber ? value.text : JSON.stringify(value)
}

/** Returns a text with U+FFFD in place of NUL and lone surrogates, which PostgreSQL cannot store. */
export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed
}

/** Cuts a text to at most `count` code points; an emoji is never cut in half. */
export function cutCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let points = 0; points < count && end < text.length; points++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/** Counts code points, the "characters" of every limit of the reference. */
export function countCodePoints(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++
    count++
  }
  return count
}
