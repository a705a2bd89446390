import type { Needles } from './needles.ts'
import { NIBBLES } from './sign-encodings.ts'
import { createViewWriter, endOf, type View } from './view.ts'

/**
 * A run of digits in a view: its range `from`–`to` and the values of its `count` digits. All bytes before `clearTo`
 * may belong to a run. `made` is that of the view; when it is set, only runs with a decoded unit in them are searched
 * for.
 */
type Run = {
  from: number
  to: number
  count: number
  digits: Uint8Array
  clearTo: number
  made: Uint8Array | null
}

/** An encoding that writes any bytes as a run of digits. */
export type LetterEncoding = {
  bits: number
  /**
   * The number of digits at which reading starts, one after the other: other letters may directly precede the run.
   */
  offsets: number
  /** Returns the smallest number of digits that hold this many bytes; shorter runs are not read. */
  minDigitsFor(bytes: number): number
  /**
   * Reads the next run from `from` on. Returns the position after it, where the next search begins, and -1 when there
   * is none. May skip runs with fewer than `minDigits` digits.
   */
  find(bytes: Uint8Array, from: number, minDigits: number, run: Run): number
}

const isOneOf = (characters: string) =>
  Uint8Array.from({ length: 256 }, (_, byte) =>
    Number(characters.includes(String.fromCharCode(byte))),
  )

const SEXTETS = Int8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte).replace('-', '+').replace('_', '/')
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(letter)
})
const LINE_BREAKS = isOneOf('\r\n')
const LINE_BREAKS_AND_INDENTS = isOneOf('\r\n\t ')
/** Separators that writers of hexadecimal put between bytes. Forms write a space as a plus sign. */
const BETWEEN_HEX = isOneOf('\r\n\t :-+')

/**
 * Returns the first position from `from` on where at least `minLength` bytes in a row may belong to a run; -1 when there
 * is none. Skips most bytes of ordinary texts, because one byte that cannot be in a run ends every run across it.
 */
function nextPossible(
  bytes: Uint8Array,
  from: number,
  minLength: number,
  isMember: Uint8Array,
  run: Run,
): number {
  if (from < run.clearTo) return from
  const { length } = bytes
  let at = from
  while (at + minLength <= length) {
    let last = at + minLength - 1
    while (last >= at && isMember[bytes[last]!] === 1) last--
    if (last < at) {
      let end = at + minLength
      while (end < length && isMember[bytes[end]!] === 1) end++
      if (hasUnit(run.made, at, end)) {
        run.clearTo = end
        return at
      }
      last = end
    }
    at = last + 1
  }
  return -1
}

/**
 * Returns whether these bytes, or the byte directly in front of them, contain a decoded unit: a number may have had
 * more digits there.
 */
function hasUnit(made: Uint8Array | null, from: number, to: number): boolean {
  if (made === null) return true
  let at = Math.max(0, from - 1)
  while (at < to && made[at] === 0) at++
  return at < to
}

/** Returns a finder of digit runs that may have the given gaps between digits. */
function findDigits(values: Int8Array, opensGap: Uint8Array, continuesGap: Uint8Array) {
  const members = Uint8Array.from(values, (value, byte) =>
    Number(value >= 0 || continuesGap[byte] === 1),
  )
  return (bytes: Uint8Array, from: number, minDigits: number, run: Run): number => {
    const { digits } = run
    const { length } = bytes
    let at = nextPossible(bytes, from, minDigits, members, run)
    if (at === -1) return -1
    while (at < length && values[bytes[at]!]! < 0) at++
    if (at >= length) return -1
    run.from = at
    let [count, to] = [0, at]
    while (at < length) {
      const byte = bytes[at]!
      const value = values[byte]!
      if (value >= 0) {
        digits[count++] = value
        to = ++at
      } else if (opensGap[byte] === 1) {
        while (at < length && continuesGap[bytes[at]!] === 1) at++
      } else break
    }
    run.count = count
    run.to = to
    return at
  }
}

/** Base64 of both alphabets, its lines joined. */
const base64: LetterEncoding = {
  bits: 6,
  offsets: 4,
  minDigitsFor: (bytes) => Math.max(10, Math.ceil((bytes * 8) / 6)),
  find: findDigits(SEXTETS, LINE_BREAKS, LINE_BREAKS_AND_INDENTS),
}

const hexadecimal: LetterEncoding = {
  bits: 4,
  offsets: 2,
  minDigitsFor: (bytes) => Math.max(16, bytes * 2),
  find: findDigits(NIBBLES, BETWEEN_HEX, BETWEEN_HEX),
}

const IS_DIGIT = isOneOf('0123456789')
const BETWEEN_NUMBERS = isOneOf(',\r\n\t +')
const IN_NUMBERS = isOneOf('0123456789,\r\n\t +-":')
const [ZERO, MINUS, QUOTE, COLON, EQUALS] = [0x30, 0x2d, 0x22, 0x3a, 0x3d]

/** Lists of bytes as numbers: also of signed ones, and as an object whose keys are their indices. */
const numbers: LetterEncoding = {
  bits: 8,
  offsets: 1,
  minDigitsFor: () => 4,
  find(bytes, from, minDigits, run) {
    const { length } = bytes
    // Two numbers have a separator between them.
    let at = nextPossible(bytes, from, Math.max(1, 2 * minDigits - 1), IN_NUMBERS, run)
    if (at === -1) return -1
    const begins = at
    while (at < length && IS_DIGIT[bytes[at]!] === 0) at++
    if (at >= length) return -1
    if (at > begins && (bytes[at - 1] === MINUS || bytes[at - 1] === QUOTE)) at--
    run.from = at
    run.count = 0
    for (;;) {
      const valueAt = skipIndex(bytes, at)
      const isNegative = bytes[valueAt] === MINUS
      const first = isNegative ? valueAt + 1 : valueAt
      let end = first
      let value = 0
      for (; end < length && IS_DIGIT[bytes[end]!] === 1; end++)
        value = Math.min(256, value * 10 + bytes[end]! - ZERO)
      if (end === first || value > (isNegative ? 128 : 255)) return Math.max(end, at + 1)
      run.digits[run.count++] = isNegative ? -value : value
      run.to = end
      at = end
      while (at < length && BETWEEN_NUMBERS[bytes[at]!] === 1) at++
      if (at === end) return at
    }
  },
}

/** Returns the position of the value that follows a quoted index. */
function skipIndex(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return at
  let end = at + 1
  while (end < bytes.length && IS_DIGIT[bytes[end]!] === 1) end++
  return end > at + 1 && bytes[end] === QUOTE && bytes[end + 1] === COLON ? end + 2 : at
}

/** The encodings whose runs of digits are decoded. */
export const LETTER_ENCODINGS: readonly LetterEncoding[] = [base64, hexadecimal, numbers]

/** A function that registers the run in this range of the source and returns its number. */
export type NumberRun = (from: number, to: number) => number

/**
 * Returns the bytes that the runs of an encoding stand for, decoded at each offset. Skips runs too short for
 * `minBytes`.
 */
export function readLetters(
  view: View,
  encoding: LetterEncoding,
  { minBytes, wholes: secrets }: Needles,
  numberRun: NumberRun,
): View[] {
  const { bytes, starts, origins, wholes, positions, made } = view
  const { bits, offsets } = encoding
  const minDigits = encoding.minDigitsFor(minBytes)
  const run: Run = {
    from: 0,
    to: 0,
    count: 0,
    digits: new Uint8Array(bytes.length),
    clearTo: 0,
    made: secrets.size > 0 ? null : made,
  }
  let writer: ReturnType<typeof createViewWriter> | null = null
  let out = NO_BYTES
  let index = 0
  /** The position of the first unit that is not far in front of the run. */
  let nextMade = -1
  // A short secret may be the whole of its value.
  const shortest = secrets.size > 0 ? 1 : minDigits
  for (let at = 0; (at = encoding.find(bytes, at, shortest, run)) !== -1;) {
    while (index + 1 < starts.length && starts[index + 1]! <= run.from) index++
    const isWhole =
      secrets.size > 0 && wholes[index]! && isAllOf(bytes, starts[index]!, endOf(view, index), run)
    if (run.count < minDigits && !isWhole) continue
    if (made !== null && !isWhole) {
      // A run without a unit in it was already in the view that this one was decoded from. Only a number may have had
      // more digits there.
      const from = bits === 8 ? Math.max(0, run.from - 1) : run.from
      if (nextMade < from) {
        const found = made.indexOf(1, from)
        nextMade = found === -1 ? Infinity : found
      }
      if (nextMade >= run.to) continue
    }
    if (writer === null) {
      // Each offset gives at most the bits of all digits, and a separator for each digit at worst.
      out = new Uint8Array(Math.ceil((offsets * bytes.length * (bits + 8)) / 8) + 8)
      writer = createViewWriter(out, view.depth + 1)
    }
    let origin = origins[index]!
    if (positions !== null) {
      let to = run.to
      // The padding belongs to its Base64 run.
      while (bytes[to] === EQUALS) to++
      origin = numberRun(positions[run.from]!, positions[to]!)
    }
    const last = run.count < minDigits ? 1 : Math.min(offsets, run.count)
    for (let offset = 0; offset < last; offset++) {
      writer.end(unpack(run, offset, bits, out, writer.next), origin, isWhole && offset === 0)
    }
  }
  return writer?.finish() ?? []
}

const NO_BYTES = new Uint8Array()

/** Writes the bytes that digits stand for, from an offset on. Returns where they end. */
function unpack({ digits, count }: Run, offset: number, bits: number, out: Uint8Array, to: number) {
  let [at, end] = [offset, to]
  if (bits === 6) {
    for (; at + 4 <= count; at += 4) {
      const second = digits[at + 1]!
      const third = digits[at + 2]!
      out[end] = (digits[at]! << 2) | (second >> 4)
      out[end + 1] = (second << 4) | (third >> 2)
      out[end + 2] = (third << 6) | digits[at + 3]!
      end += 3
    }
  }
  let [held, heldBits] = [0, 0]
  for (; at < count; at++) {
    held = ((held << bits) | digits[at]!) & 0xffff
    heldBits += bits
    if (heldBits < 8) continue
    heldBits -= 8
    out[end++] = (held >> heldBits) & 0xff
  }
  return end
}

const AROUND = isOneOf('\r\n\t =[]')

/** Returns whether its segment contains only padding, brackets and white space besides a run. */
function isAllOf(bytes: Uint8Array, start: number, end: number, run: Run): boolean {
  let [from, to] = [run.from, run.to]
  while (from > start && AROUND[bytes[from - 1]!] === 1) from--
  while (to < end && AROUND[bytes[to]!] === 1) to++
  return from === start && to === end
}
