import { createViewWriter, endOf, type View } from './view.ts'

/**
 * An encoding that writes single characters otherwise, each behind a sign. `read` looks at a sign: it returns 0 where
 * no unit begins, else the unit's length, with what it stands for in `unit`.
 */
export type SignEncoding = { sign: number; read(bytes: Uint8Array, at: number): number }

/** The decoded character of the last unit: a code point, a byte of one, or nothing. */
const unit = { code: 0, isByte: false }
const NOTHING = -1

function standsFor(length: number, code: number, isByte = false): number {
  unit.code = code
  unit.isByte = isByte
  return length
}

const code = (character: string): number => character.charCodeAt(0)

/** The value of a hexadecimal digit, by its byte; -1 for any other. */
export const NIBBLES = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase())
  return digit
})

/** Returns the number of `count` hexadecimal digits; -1 when there are fewer. */
function hexAt(bytes: Uint8Array, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at++) {
    const digit = at < bytes.length ? NIBBLES[bytes[at]!]! : -1
    if (digit === -1) return -1
    value = value * 16 + digit
  }
  return value
}

const percent: SignEncoding = {
  sign: code('%'),
  read(bytes, at) {
    const byte = hexAt(bytes, at + 1, 2)
    return byte === -1 ? 0 : standsFor(3, byte, true)
  },
}

const [LF, CR, BACKSLASH] = [0x0a, 0x0d, code('\\')]
const [LETTER_U, LETTER_X, BRACE, BRACE_END] = [code('u'), code('x'), code('{'), code('}')]
/** Letters behind a backslash, and what they stand for in JSON and JavaScript. */
const ESCAPED = new Map(
  Object.entries({
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
    '"': '"',
    "'": "'",
    '\\': '\\',
    '/': '/',
  }).map(([letter, character]) => [code(letter), code(character)]),
)

const backslash: SignEncoding = {
  sign: BACKSLASH,
  read(bytes, at) {
    const letter = bytes[at + 1]
    if (letter === LETTER_X) {
      const point = hexAt(bytes, at + 2, 2)
      return point === -1 ? 0 : standsFor(4, point)
    }
    if (letter !== LETTER_U) {
      const plain = letter === undefined ? undefined : ESCAPED.get(letter)
      return plain === undefined ? 0 : standsFor(2, plain)
    }
    if (bytes[at + 2] === BRACE) return readBraced(bytes, at)
    const high = hexAt(bytes, at + 2, 4)
    if (high === -1) return 0
    const isPair =
      high >= 0xd800 && high < 0xdc00 && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LETTER_U
    const low = isPair ? hexAt(bytes, at + 8, 4) : -1
    if (low < 0xdc00 || low > 0xdfff) return standsFor(6, high)
    return standsFor(12, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
  },
}

/** `\u{…}` of JavaScript. */
function readBraced(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(BRACE_END, at + 4)
  if (end === -1 || end > at + 9) return 0
  const point = hexAt(bytes, at + 3, end - at - 3)
  return point === -1 || point > 0x10ffff ? 0 : standsFor(end + 1 - at, point)
}

/** The named references of HTML for ASCII, without the `;` that ends them. */
const NAMED = new Map(
  Object.entries({
    '\t': 'Tab',
    '\n': 'NewLine',
    '!': 'excl',
    '"': 'quot QUOT',
    '#': 'num',
    $: 'dollar',
    '%': 'percnt',
    '&': 'amp AMP',
    "'": 'apos',
    '(': 'lpar',
    ')': 'rpar',
    '*': 'ast midast',
    '+': 'plus',
    ',': 'comma',
    '.': 'period',
    '/': 'sol',
    ':': 'colon',
    ';': 'semi',
    '<': 'lt LT',
    '=': 'equals',
    '>': 'gt GT',
    '?': 'quest',
    '@': 'commat',
    '[': 'lsqb lbrack',
    '\\': 'bsol',
    ']': 'rsqb rbrack',
    '^': 'Hat',
    _: 'lowbar UnderBar',
    '`': 'grave DiacriticalGrave',
    '{': 'lcub lbrace',
    '|': 'verbar vert VerticalLine',
    '}': 'rcub rbrace',
    '\u00a0': 'nbsp NonBreakingSpace',
  }).flatMap(([character, names]) =>
    names.split(' ').map((name) => [name, code(character)] as const),
  ),
)
const LONGEST_NAME = Math.max(...[...NAMED.keys()].map((name) => name.length))
const [HASH, SEMICOLON, UPPER_X] = [code('#'), code(';'), code('X')]
const DIGITS = 7

const entity: SignEncoding = {
  sign: code('&'),
  read(bytes, at) {
    if (bytes[at + 1] !== HASH) return readNamed(bytes, at)
    const isHex = bytes[at + 2] === LETTER_X || bytes[at + 2] === UPPER_X
    const from = isHex ? at + 3 : at + 2
    let end = from
    let point = 0
    for (; end < bytes.length && end < from + DIGITS; end++) {
      const digit = NIBBLES[bytes[end]!]!
      if (digit === -1 || (!isHex && digit > 9)) break
      point = point * (isHex ? 16 : 10) + digit
    }
    if (end === from || point > 0x10ffff) return 0
    // Browsers read it without its end too.
    return standsFor((bytes[end] === SEMICOLON ? end + 1 : end) - at, point)
  },
}

function readNamed(bytes: Uint8Array, at: number): number {
  const end = bytes.subarray(at, at + LONGEST_NAME + 2).indexOf(SEMICOLON)
  if (end === -1) return 0
  const point = NAMED.get(String.fromCharCode(...bytes.subarray(at + 1, at + end)))
  return point === undefined ? 0 : standsFor(end + 1, point)
}

/** Quoted-printable, as mails are written: `=` and a byte, or `=` at the end of a line that goes on. */
const quotedPrintable: SignEncoding = {
  sign: code('='),
  read(bytes, at) {
    const byte = hexAt(bytes, at + 1, 2)
    if (byte !== -1) return standsFor(3, byte, true)
    if (bytes[at + 1] === LF) return standsFor(2, NOTHING)
    return bytes[at + 1] === CR && bytes[at + 2] === LF ? standsFor(3, NOTHING) : 0
  },
}

export const SIGN_ENCODINGS: readonly SignEncoding[] = [percent, backslash, entity, quotedPrintable]

/** The segments in which units of an encoding stand, with those units read. */
export function readSigns(view: View, { sign, read }: SignEncoding): View[] {
  const { bytes, starts, origins, wholes, places } = view
  let next = bytes.indexOf(sign)
  if (next === -1) return []
  // No unit is shorter than what it stands for.
  const out = new Uint8Array(bytes.length + 1)
  const outPlaces = places && new Int32Array(bytes.length + 1)
  const writer = createViewWriter(out, view.depth + 1)
  let index = 0
  while (next !== -1) {
    while (index + 1 < starts.length && starts[index + 1]! <= next) index++
    const end = endOf(view, index)
    let units = 0
    let length = writer.next
    let at = starts[index]!
    while (at < end) {
      const taken = bytes[at] === sign ? read(bytes, at) : 0
      if (taken === 0) {
        const to = nextSign(bytes, sign, at + 1, end)
        if (to - at < LEAST_SLICE) {
          for (let from = at; from < to; from++) {
            if (outPlaces !== null) outPlaces[length] = places![from]!
            out[length++] = bytes[from]!
          }
        } else {
          out.set(bytes.subarray(at, to), length)
          outPlaces?.set(places!.subarray(at, to), length)
          length += to - at
        }
        at = to
        continue
      }
      const from = length
      length = writeUnit(out, length)
      outPlaces?.fill(places![at]!, from, length)
      units++
      at += taken
    }
    if (units > 0) {
      if (outPlaces !== null) outPlaces[length] = places![end]!
      writer.end(length, origins[index]!, wholes[index]!)
    }
    next = end < bytes.length ? bytes.indexOf(sign, end) : -1
  }
  return writer.finish().map((decoded) => ({ ...decoded, places: outPlaces }))
}

/** Fewer bytes are copied one by one: a call for them takes longer. */
const LEAST_SLICE = 48

/** Where the sign stands next from a place on; `end` where it does not before that. */
function nextSign(bytes: Uint8Array, sign: number, from: number, end: number): number {
  const near = Math.min(end, from + LEAST_SLICE)
  let at = from
  while (at < near && bytes[at] !== sign) at++
  if (at < near || at === end) return at
  const found = bytes.indexOf(sign, at)
  return found === -1 || found > end ? end : found
}

/** Writes the decoded character of the last unit. Returns where it ends. */
function writeUnit(out: Uint8Array, at: number): number {
  const { code: point, isByte } = unit
  if (point === NOTHING) return at
  if (isByte || point < 0x80) {
    out[at] = point
    return at + 1
  }
  // A lone surrogate is what a text would have in its place.
  const bytes = utf8.encode(String.fromCodePoint(point))
  out.set(bytes, at)
  return at + bytes.length
}

const utf8 = new TextEncoder()
