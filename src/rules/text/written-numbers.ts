/**
 * Finds the numbers of a JSON text that a double would not reproduce, and carries them through `JSON.parse`. Each
 * becomes a string that begins with a mark; a string that already begins with the mark gets a second one. Works on
 * bytes in one pass, because `JSON.parse` with a reviver is several times slower and overflows on deep nesting.
 */
import { JsonNumber } from './json-number.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
/** DEL is one byte in UTF-8, and allowed in a JSON string. */
const MARK = 0x7f

/** A double reproduces every number of at most this length without an exponent or redundant zeros. */
const SAFE_SIGNS = 15

/**
 * The positions of marks, as pairs of start and end. A number between the two is quoted and marked. Equal positions are
 * the beginning of a string that needs a second mark.
 */
export type MarkPositions = readonly number[]

/**
 * Finds the numbers in a JSON text that a double would change, for `markNumbers`. Returns null when a double reproduces
 * every number. The result for invalid JSON is arbitrary.
 */
export function findMarkPositions(bytes: Uint8Array): MarkPositions | null {
  const { length } = bytes
  let hasNumber = false
  let positions: number[] | null = null
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      const start = at + 1
      for (at = start; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
      const isMarked = bytes[start] === MARK || bytes[start] === BACKSLASH
      if (isMarked && beginsWithMark(bytes, start) && !isKey(bytes, at + 1)) {
        ;(positions ??= []).push(start, start)
      }
    } else if (byte <= NINE && (byte >= ZERO || byte === MINUS)) {
      const start = at
      do at++
      while (at < length && isInNumber(bytes[at]!))
      if (at - start > 1 && isWritten(bytes, start, at)) {
        ;(positions ??= []).push(start, at)
        hasNumber = true
      }
      at--
    }
  }
  return hasNumber ? positions : null
}

const isInNumber = (byte: number): boolean =>
  (byte >= ZERO && byte <= NINE) || byte === DOT || isInExponent(byte)

/** Returns whether the bytes are a number that a double does not reproduce. */
function isWritten(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > SAFE_SIGNS || bytes[start]! <= ZERO) return isAnother(bytes, start, end)
  let hasDot = false
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]!
    if (byte >= ZERO) {
      // The byte is neither a digit nor a dot, so the number has an exponent.
      if (byte > NINE) return isAnother(bytes, start, end)
    } else if (byte === DOT && !hasDot) hasDot = true
    else return isAnother(bytes, start, end)
  }
  return hasDot && bytes[end - 1] === ZERO && !isKey(bytes, end)
}

/** Copying fewer bytes one by one is faster than a call of `set`. */
const MIN_BYTES_TO_SET = 48

/**
 * Returns a JSON text with a marked string in place of each number at these positions, so that parsing keeps its
 * digits.
 */
export function markNumbers(bytes: Uint8Array, positions: MarkPositions): Uint8Array {
  const marked = new Uint8Array(bytes.length + (positions.length / 2) * '"x"'.length)
  let from = 0
  let to = 0
  const copy = (end: number) => {
    if (end - from > MIN_BYTES_TO_SET) marked.set(bytes.subarray(from, end), to)
    else for (let at = from; at < end; at++) marked[to + at - from] = bytes[at]!
    to += end - from
    from = end
  }
  for (let spot = 0; spot < positions.length; spot += 2) {
    const [start, end] = [positions[spot]!, positions[spot + 1]!]
    copy(start)
    if (end > start) marked[to++] = QUOTE
    marked[to++] = MARK
    copy(end)
    if (end > start) marked[to++] = QUOTE
  }
  copy(bytes.length)
  return marked.subarray(0, to)
}

/**
 * Replaces the marked strings in a parsed value, in place, by the numbers as they were written. Returns the value.
 * Iterative: no depth throws.
 */
export function readMarks(root: unknown, positions: MarkPositions): unknown {
  const total = positions.length / 2
  let count = 0
  const top = [root]
  const containers: unknown[] = [top]
  const read = (value: unknown): unknown => {
    if (typeof value === 'object') {
      if (value !== null) containers.push(value)
    } else if (typeof value === 'string' && value.charCodeAt(0) === MARK) {
      count++
      const rest = value.slice(1)
      return rest.charCodeAt(0) === MARK ? rest : new JsonNumber(rest)
    }
    return value
  }
  for (let into = containers.pop(); into !== undefined; into = containers.pop()) {
    if (count === total) break
    if (Array.isArray(into)) {
      for (let at = 0; at < into.length; at++) {
        const value: unknown = into[at]
        const is = read(value)
        if (is !== value) into[at] = is
      }
    } else {
      const fields = into as Record<string, unknown>
      // Parsed JSON inherits no enumerable properties, and `Object.keys` would allocate a list for every object.
      for (const key in fields) {
        const value = fields[key]
        const is = read(value)
        if (is !== value) fields[key] = is
      }
    }
  }
  return top[0]
}

/** Returns whether a string begins with the mark, literal or escaped. */
function beginsWithMark(bytes: Uint8Array, start: number): boolean {
  if (bytes[start] === MARK) return true
  for (let nth = 0; nth < ESCAPED_MARK.length; nth++) {
    const code = ESCAPED_MARK.charCodeAt(nth)
    const byte = bytes[start + nth]
    if (byte !== code && !(code === 0x66 && byte === 0x46)) return false
  }
  return true
}

const ESCAPED_MARK = '\\u007f'

/** Returns whether a byte is `e`, `E`, `+` or `-`. */
const isInExponent = (byte: number): boolean =>
  byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === MINUS

/** Returns whether the token is a name. A number as a name is invalid JSON, and quoting it would make it valid. */
function isKey(bytes: Uint8Array, end: number): boolean {
  let at = end
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return bytes[at] === 0x3a
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Returns whether the bytes are a number that JavaScript would write differently. */
function isAnother(bytes: Uint8Array, start: number, end: number): boolean {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return NUMBER.test(text) && String(Number(text)) !== text && !isKey(bytes, end)
}
