/**
 * Finds the numbers of a JSON text that a double does not give back as they are written, and keeps them through one
 * reading by `JSON.parse`: they are put between quotes, behind a mark; a string that begins with it gets a second one.
 * Works on bytes, in one pass: `JSON.parse` with a reviver takes several times as long, and overflows on deep nesting.
 */
import { JsonNumber } from './json-number.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
/** DEL: one byte of UTF-8, and allowed within a string. */
const MARK = 0x7f

/** A double gives back every number of so many signs that has no exponent and no needless zero. */
const SAFE_SIGNS = 15

/**
 * Where a mark goes in, as pairs of start and end: a number stands between the two, and goes into quotes behind the
 * mark; where they are one place, a string begins with a mark of its own, and gets another.
 */
export type Spots = readonly number[]

/** Returns null where a double gives every number back; of a text that is no JSON it returns anything. */
export function findWrittenNumbers(bytes: Uint8Array): Spots | null {
  const { length } = bytes
  let hasNumber = false
  let spots: number[] | null = null
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      const start = at + 1
      for (at = start; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
      const isMarked = bytes[start] === MARK || bytes[start] === BACKSLASH
      if (isMarked && beginsWithMark(bytes, start) && !isKey(bytes, at + 1)) {
        ;(spots ??= []).push(start, start)
      }
    } else if (byte <= NINE && (byte >= ZERO || byte === MINUS)) {
      const start = at
      do at++
      while (at < length && isInNumber(bytes[at]!))
      if (at - start > 1 && isWritten(bytes, start, at)) {
        ;(spots ??= []).push(start, at)
        hasNumber = true
      }
      at--
    }
  }
  return hasNumber ? spots : null
}

const isInNumber = (byte: number): boolean =>
  (byte >= ZERO && byte <= NINE) || byte === DOT || isInExponent(byte)

/** Returns whether it is a number, and a double does not give it back. */
function isWritten(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > SAFE_SIGNS || bytes[start]! <= ZERO) return isAnother(bytes, start, end)
  let hasDot = false
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]!
    if (byte >= ZERO) {
      // Neither a digit nor a dot: an exponent.
      if (byte > NINE) return isAnother(bytes, start, end)
    } else if (byte === DOT && !hasDot) hasDot = true
    else return isAnother(bytes, start, end)
  }
  return hasDot && bytes[end - 1] === ZERO && !isKey(bytes, end)
}

/** To copy fewer bytes one by one takes less than a call of `set`. */
const LEAST_TO_SET = 48

/** Returns the text with each number as a string behind a mark. */
export function markNumbers(bytes: Uint8Array, spots: Spots): Uint8Array {
  const marked = new Uint8Array(bytes.length + (spots.length / 2) * '"x"'.length)
  let from = 0
  let to = 0
  const copy = (end: number) => {
    if (end - from > LEAST_TO_SET) marked.set(bytes.subarray(from, end), to)
    else for (let at = from; at < end; at++) marked[to + at - from] = bytes[at]!
    to += end - from
    from = end
  }
  for (let spot = 0; spot < spots.length; spot += 2) {
    const [start, end] = [spots[spot]!, spots[spot + 1]!]
    copy(start)
    if (end > start) marked[to++] = QUOTE
    marked[to++] = MARK
    copy(end)
    if (end > start) marked[to++] = QUOTE
  }
  copy(bytes.length)
  return marked.subarray(0, to)
}

/** Puts a `JsonNumber` in the place of each marked number of a value. Iterative: no depth throws. */
export function readMarks(root: unknown, spots: Spots): unknown {
  const most = spots.length / 2
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
    if (count === most) break
    if (Array.isArray(into)) {
      for (let at = 0; at < into.length; at++) {
        const value: unknown = into[at]
        const is = read(value)
        if (is !== value) into[at] = is
      }
    } else {
      const fields = into as Record<string, unknown>
      // JSON has no inherited fields, and `Object.keys` would make a list for every object.
      for (const key in fields) {
        const value = fields[key]
        const is = read(value)
        if (is !== value) fields[key] = is
      }
    }
  }
  return top[0]
}

/** Whether a string begins with the mark, as it is or escaped. */
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

/** `e`, `E`, `+` and `-`. */
const isInExponent = (byte: number): boolean =>
  byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === MINUS

/** Where a name should be a number is no JSON, and in quotes it would be. */
function isKey(bytes: Uint8Array, end: number): boolean {
  let at = end
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return bytes[at] === 0x3a
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Whether it is a number, and JavaScript writes another text for it. */
function isAnother(bytes: Uint8Array, start: number, end: number): boolean {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return NUMBER.test(text) && String(Number(text)) !== text && !isKey(bytes, end)
}
