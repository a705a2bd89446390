import { accept, refuse, type Result } from '../result.ts'

/** JSON as it was sent: a whole number too large for a double is a bigint with all its digits. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }

export type JsonRefusal = 'not_utf8' | 'not_json' | 'not_a_container'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads JSON from a stranger. Bytes must be UTF-8, a leading byte order mark is ignored, repeated
 * keys keep the last value, `__proto__` is an ordinary key, and no depth of nesting throws. With
 * `mustBeContainer` a top-level string, number, boolean or null is refused.
 * Spec: reading H5.
 */
export function readJson(
  input: Uint8Array | string,
  { mustBeContainer = false }: { mustBeContainer?: boolean } = {},
): Result<JsonValue, JsonRefusal> {
  let text: string
  if (typeof input === 'string') {
    text = input.charCodeAt(0) === 0xfeff ? input.slice(1) : input
  } else {
    try {
      text = utf8.decode(input)
    } catch {
      return refuse('not_utf8')
    }
  }
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
    // Only a run of 16 digits can exceed what a double keeps, so ordinary bodies stop here.
    if (/\d{16}/.test(text)) value = keepDigits(text, value)
  } catch {
    return refuse('not_json')
  }
  if (mustBeContainer && (typeof value !== 'object' || value === null)) {
    return refuse('not_a_container')
  }
  return accept(value)
}

/**
 * Puts the digits back that doubles lost. The text, known to be valid, is parsed a second time with
 * its large whole numbers in quotes; where the first reading has a number and the second a string,
 * that string is the number. (A reviver would do it by recursion, and overflow on deep nesting.)
 */
function keepDigits(text: string, parsed: JsonValue): JsonValue {
  const quoted = quoteLargeNumbers(text)
  if (quoted === null) return parsed
  const digits = JSON.parse(quoted) as JsonValue
  if (typeof parsed === 'number') return BigInt(digits as string)
  const pairs: [JsonValue, JsonValue][] = [[parsed, digits]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const into = pair[0] as Record<string, JsonValue>
    const from = pair[1] as Record<string, JsonValue>
    for (const key of Object.keys(into)) {
      const value = into[key] as JsonValue
      const other = from[key] as JsonValue
      if (typeof value === 'object' && value !== null) pairs.push([value, other])
      else if (typeof value === 'number' && typeof other === 'string') into[key] = BigInt(other)
    }
  }
  return parsed
}

/** Null when no whole number of the text is beyond a double's exact range. */
function quoteLargeNumbers(text: string): string | null {
  let out = ''
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      i = endOfString(text, i)
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, i)
      if (end - i >= 16) {
        const number = text.slice(i, end)
        if (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))) {
          out += `${text.slice(copied, i)}"${number}"`
          copied = end
        }
      }
      i = end - 1
    }
  }
  return copied === 0 ? null : out + text.slice(copied)
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (text.charCodeAt(i) !== 0x22) i += text.charCodeAt(i) === 0x5c ? 2 : 1
  return i
}

function endOfNumber(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && '0123456789.eE+-'.includes(text.charAt(i))) i++
  return i
}

type Frame = {
  container: JsonValue[] | Record<string, JsonValue>
  keys: string[] | null
  at: number
}

/**
 * Writes a value as compact JSON: no white space, Arabic unescaped, keys as read, numbers as JSON
 * writes them (a bigint with its digits). Texts are cleaned, so that the result can be stored
 * anywhere. Iterative: no depth throws. Spec: Hooks › Path syntax; reading H22.
 */
export function compactJson(root: JsonValue): string {
  let out = ''
  const frames: Frame[] = []
  const write = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) {
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
      out += keys === null ? ']' : '}'
      frames.pop()
      continue
    }
    if (at > 0) out += ','
    frame.at++
    if (keys === null) {
      write((container as JsonValue[])[at] as JsonValue)
    } else {
      const key = keys[at] as string
      out += `${JSON.stringify(cleanText(key))}:`
      write((container as Record<string, JsonValue>)[key] as JsonValue)
    }
  }
  return out
}

function scalarJson(value: null | boolean | number | bigint | string): string {
  if (typeof value === 'string') return JSON.stringify(cleanText(value))
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

/** Replaces NUL and lone surrogates, which PostgreSQL cannot store, with U+FFFD. */
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
