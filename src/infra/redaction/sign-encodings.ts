import { createViewWriter, endOf, type View } from './view.ts'

/**
 * An encoding that writes single characters in another form, each behind a sign. `read` looks at a sign: it returns 0
 * where no unit begins, else the unit's length, and leaves the decoded character in `unit`.
 */
export type SignEncoding = { isSign: Uint8Array; read(bytes: Uint8Array, at: number): number }

/** The decoded character of the last unit: a code point, a byte of one, or nothing. */
const unit = { code: 0, isByte: false }
const NOTHING = -1

/** Records the decoded character of a unit in `unit`, and returns the unit's length. */
function setUnit(length: number, code: number, isByte = false): number {
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
  if (from + count > bytes.length) return -1
  let value = 0
  for (let at = from; at < from + count; at++) {
    const digit = NIBBLES[bytes[at]!]!
    if (digit === -1) return -1
    value = value * 16 + digit
  }
  return value
}

const [PERCENT, AMPERSAND, EQUALS] = [code('%'), code('&'), code('=')]
const [LF, CR, BACKSLASH] = [0x0a, 0x0d, code('\\')]

function readPercent(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] === LETTER_U) {
    const point = hexAt(bytes, at + 2, 4)
    return point === -1 ? 0 : setUnit(6, point)
  }
  const byte = hexAt(bytes, at + 1, 2)
  return byte === -1 ? 0 : setUnit(3, byte, true)
}

const [LETTER_U, LONG_U, LETTER_X] = [code('u'), code('U'), code('x')]
const [BRACE, BRACE_END] = [code('{'), code('}')]
const [ZERO, SEVEN] = [code('0'), code('7')]
const MAX_POINT = 0x10ffff

/**
 * A table by byte: the character that a backslash and this byte stand for in JSON and JavaScript; 0 where they are no
 * escape.
 */
export const ESCAPED = new Uint8Array(256)
for (const [letter, character] of Object.entries({
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
})) {
  ESCAPED[code(letter)] = code(character)
}

function readBackslash(bytes: Uint8Array, at: number): number {
  if (at + 1 >= bytes.length) return 0
  const letter = bytes[at + 1]!
  if (letter >= ZERO && letter <= SEVEN) return readOctal(bytes, at)
  if (letter === LONG_U) {
    const point = hexAt(bytes, at + 2, 8)
    return point === -1 || point > MAX_POINT ? 0 : setUnit(10, point)
  }
  if (letter === LETTER_X) {
    if (bytes[at + 2] === BRACE) return readBraced(bytes, at)
    const point = hexAt(bytes, at + 2, 2)
    return point === -1 ? 0 : setUnit(4, point)
  }
  if (letter !== LETTER_U) {
    const plain = ESCAPED[letter]!
    return plain === 0 ? 0 : setUnit(2, plain)
  }
  if (bytes[at + 2] === BRACE) return readBraced(bytes, at)
  const high = hexAt(bytes, at + 2, 4)
  if (high === -1) return 0
  const isPair =
    high >= 0xd800 && high < 0xdc00 && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LETTER_U
  const low = isPair ? hexAt(bytes, at + 8, 4) : -1
  if (low < 0xdc00 || low > 0xdfff) return setUnit(6, high)
  return setUnit(12, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
}

/** The maximum number of digits that JavaScript writes in braces. */
const BRACED_DIGITS = 6

/** Reads three octal digits, as C and JavaScript write bytes. */
function readOctal(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let place = at + 1; place <= at + 3; place++) {
    const digit = (bytes[place] ?? 0) - ZERO
    if (digit < 0 || digit > 7) return 0
    value = value * 8 + digit
  }
  return value > 0xff ? 0 : setUnit(4, value, true)
}

/** Reads `\u{…}` of JavaScript and `\x{…}` of Perl. */
function readBraced(bytes: Uint8Array, at: number): number {
  let point = 0
  let end = at + 3
  for (; end < at + 3 + BRACED_DIGITS && end < bytes.length; end++) {
    const digit = NIBBLES[bytes[end]!]!
    if (digit === -1) break
    point = point * 16 + digit
  }
  if (end === at + 3 || bytes[end] !== BRACE_END || point > MAX_POINT) return 0
  return setUnit(end + 1 - at, point)
}

/** The named references of HTML for ASCII, without the `;` that ends them. */
const NAMED = Object.entries({
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
}).flatMap(([character, names]) => names.split(' ').map((name) => [name, code(character)] as const))

/** A trie of the names: for each node and byte the next node, 0 where no name goes on. */
const NODE_BYTES = 128
const names = { next: new Uint16Array(NODE_BYTES), points: [0] }
for (const [name, point] of NAMED) {
  let node = 0
  for (const character of name) {
    const edge = node * NODE_BYTES + code(character)
    node = names.next[edge]!
    if (node !== 0) continue
    node = names.points.push(0) - 1
    const wider = new Uint16Array(names.points.length * NODE_BYTES)
    wider.set(names.next)
    wider[edge] = node
    names.next = wider
  }
  names.points[node] = point
}
const NEXT_NODE = names.next
const POINT_OF_NODE = Uint8Array.from(names.points)

const [HASH, SEMICOLON, UPPER_X] = [code('#'), code(';'), code('X')]
const DIGITS = 7

function readEntity(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== HASH) return readNamed(bytes, at)
  const isHex = bytes[at + 2] === LETTER_X || bytes[at + 2] === UPPER_X
  let from = isHex ? at + 3 : at + 2
  // Any number of zeros may precede the digits.
  while (bytes[from] === ZERO && bytes[from + 1] === ZERO) from++
  const maxEnd = Math.min(bytes.length, from + DIGITS)
  let end = from
  let point = 0
  for (; end < maxEnd; end++) {
    const digit = NIBBLES[bytes[end]!]!
    if (digit === -1 || (!isHex && digit > 9)) break
    point = point * (isHex ? 16 : 10) + digit
  }
  if (end === from || point > MAX_POINT) return 0
  if (end < bytes.length && bytes[end] === SEMICOLON) return setUnit(end + 1 - at, point)
  // Browsers also accept an entity without its semicolon. An encoded character behind it may be another digit, which
  // a later pass reads.
  return mayGoOn(bytes, end) ? 0 : setUnit(end - at, point)
}

/**
 * Returns whether a percent sign, a backslash or a line break of quoted-printable is at a position. Any of these may
 * decode to another digit.
 */
function mayGoOn(bytes: Uint8Array, at: number): boolean {
  const sign = bytes[at]
  if (sign === PERCENT || sign === BACKSLASH) return true
  const next = bytes[at + 1] ?? 0
  return sign === EQUALS && (next === CR || next === LF || ESCAPES.isSign[next] === 1)
}

function readNamed(bytes: Uint8Array, at: number): number {
  let node = 0
  for (let end = at + 1; end < bytes.length; end++) {
    const byte = bytes[end]!
    if (byte === SEMICOLON) {
      const point = POINT_OF_NODE[node]!
      return point === 0 ? 0 : setUnit(end + 1 - at, point)
    }
    node = byte < NODE_BYTES ? NEXT_NODE[node * NODE_BYTES + byte]! : 0
    if (node === 0) return 0
  }
  return 0
}

const tableOf = (...signs: number[]) =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(signs.includes(byte)))

/**
 * Percent signs, escapes of JSON and JavaScript, and HTML entities. One pass reads all three, because no unit of one
 * contains the sign of another. Text that several of them have encoded, in any order, takes as many passes.
 */
export const ESCAPES: SignEncoding = {
  isSign: tableOf(PERCENT, BACKSLASH, AMPERSAND),
  read(bytes, at) {
    const sign = bytes[at]
    if (sign === PERCENT) return readPercent(bytes, at)
    return sign === BACKSLASH ? readBackslash(bytes, at) : readEntity(bytes, at)
  },
}

/**
 * Quoted-printable, as mails are written: `=` and a byte, or `=` at the end of a line that continues. It has a
 * separate pass, since a line may end within a unit of another encoding, and many a `=` in front of a value is no
 * sign.
 */
export const QUOTED_PRINTABLE: SignEncoding = {
  isSign: tableOf(EQUALS),
  read(bytes, at) {
    const byte = hexAt(bytes, at + 1, 2)
    if (byte !== -1) return setUnit(3, byte, true)
    if (bytes[at + 1] === LF) return setUnit(2, NOTHING)
    return bytes[at + 1] === CR && bytes[at + 2] === LF ? setUnit(3, NOTHING) : 0
  },
}

/** The encodings whose units are decoded, in separate passes. */
export const SIGN_ENCODINGS: readonly SignEncoding[] = [ESCAPES, QUOTED_PRINTABLE]

type Read = { bytes: Uint8Array; made: Uint8Array; positions: Int32Array | null }

/** Returns the segments of a view that contain units of an encoding, with those units decoded. */
export function readSigns(view: View, encoding: SignEncoding): View[] {
  const { bytes, starts, origins, wholes, positions } = view
  let next = nextUnit(bytes, encoding, 0)
  if (next === bytes.length) return []
  // No unit is shorter than its decoded character.
  const room = bytes.length + 1
  const out: Read = {
    bytes: new Uint8Array(room),
    made: new Uint8Array(room),
    positions: positions && new Int32Array(room),
  }
  const writer = createViewWriter(out.bytes, view.depth + 1, out.made)
  let index = 0
  while (next < bytes.length) {
    while (index + 1 < starts.length && starts[index + 1]! <= next) index++
    const end = endOf(view, index)
    const to = readSegment(view, starts[index]!, end, next, encoding, out, writer.next)
    writer.end(to, origins[index]!, wholes[index]!)
    next = nextUnit(bytes, encoding, end)
  }
  return writer.finish().map((decoded) => ({ ...decoded, positions: out.positions }))
}

/**
 * Decodes a segment, whose first unit is known, into `out`. Returns the end of its output. It is a separate function,
 * so that V8 keeps the loop compiled.
 */
function readSegment(
  { bytes, positions }: View,
  start: number,
  end: number,
  first: number,
  { isSign, read }: SignEncoding,
  { bytes: out, made, positions: outPositions }: Read,
  from: number,
): number {
  out.set(bytes.subarray(start, first), from)
  outPositions?.set(positions!.subarray(start, first), from)
  let [at, to] = [first, from + first - start]
  while (at < end) {
    const begins = to
    const plain = at
    while (at < end && isSign[bytes[at]!] === 0) out[to++] = bytes[at++]!
    if (outPositions !== null) {
      for (let copied = plain; copied < at; copied++)
        outPositions[begins + copied - plain] = positions![copied]!
    }
    if (at === end) break
    const taken = read(bytes, at)
    if (taken === 0) {
      if (outPositions !== null) outPositions[to] = positions![at]!
      out[to++] = bytes[at++]!
      continue
    }
    const unitAt = to
    to = writeUnit(out, to)
    // Where a unit stands for nothing, this marks the byte behind it.
    made[unitAt] = 1
    for (let mark = unitAt + 1; mark < to; mark++) made[mark] = 1
    if (outPositions !== null) {
      for (let mark = unitAt; mark < to; mark++) outPositions[mark] = positions![at]!
    }
    at += taken
  }
  if (outPositions !== null) outPositions[to] = positions![end]!
  return to
}

/** Returns where the next unit begins; the length of the bytes where there is none. */
function nextUnit(bytes: Uint8Array, { isSign, read }: SignEncoding, from: number): number {
  const { length } = bytes
  let at = from
  while (at < length && (isSign[bytes[at]!] === 0 || read(bytes, at) === 0)) at++
  return at
}

/** Writes the decoded character of the last unit. Returns where it ends. */
function writeUnit(out: Uint8Array, at: number): number {
  const { code: point, isByte } = unit
  if (point === NOTHING) return at
  if (isByte || point < 0x80) {
    out[at] = point
    return at + 1
  }
  if (point < 0x800) {
    out[at] = 0xc0 | (point >> 6)
    out[at + 1] = 0x80 | (point & 0x3f)
    return at + 2
  }
  if (point < 0x10000) {
    // A lone surrogate is what a text would have in its place.
    const written = point >= 0xd800 && point < 0xe000 ? 0xfffd : point
    out[at] = 0xe0 | (written >> 12)
    out[at + 1] = 0x80 | ((written >> 6) & 0x3f)
    out[at + 2] = 0x80 | (written & 0x3f)
    return at + 3
  }
  out[at] = 0xf0 | (point >> 18)
  out[at + 1] = 0x80 | ((point >> 12) & 0x3f)
  out[at + 2] = 0x80 | ((point >> 6) & 0x3f)
  out[at + 3] = 0x80 | (point & 0x3f)
  return at + 4
}
