/** A text as its UTF-8 bytes, one character a byte: what encodings of every kind are compared in. */
export function toByteText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
  if (/^[\u0000-\u007f]*$/.test(text)) return text
  return byteText(utf8.encode(text))
}

function byteText(bytes: Uint8Array): string {
  let out = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    out += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  }
  return out
}

/** The text of such bytes again. */
export function fromByteText(bytes: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
  if (/^[\u0000-\u007f]*$/.test(bytes)) return bytes
  return decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
}

const utf8 = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Arguments of one function call. */
const CHUNK = 8_192

/** Bytes seen through an encoding, with the place that each came from. */
export type View = {
  bytes: string
  /** Where the unit of each byte begins in the source; one more for the end. Null: unchanged. */
  places: Int32Array | null
}

export const placeOf = ({ places }: View, at: number): number => places?.[at] ?? at

/**
 * One way to write a character in several. `read` looks at a sign: 0 when it begins no unit, else the
 * unit's length, with what it stands for in `found`.
 */
type Encoding = { sign: string; read(bytes: string, at: number): number }

/** Of the unit that was read last: a code point, or a byte of one. */
const found = { code: 0, isByte: false }

function hexAt(bytes: string, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at++) {
    const digit = HEX.indexOf(bytes.charAt(at).toLowerCase())
    if (digit === -1 || at >= bytes.length) return -1
    value = value * 16 + digit
  }
  return value
}

const HEX = '0123456789abcdef'
const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ENTITY = /&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));/y

function unit(length: number, code: number, isByte = false): number {
  found.code = code
  found.isByte = isByte
  return length
}

/** Percent, JSON (and JavaScript), HTML. */
export const ENCODINGS: readonly Encoding[] = [
  {
    sign: '%',
    read(bytes, at) {
      const byte = hexAt(bytes, at + 1, 2)
      return byte === -1 ? 0 : unit(3, byte, true)
    },
  },
  {
    sign: '\\',
    read(bytes, at) {
      const letter = bytes.charAt(at + 1)
      if (letter === 'x') {
        const code = hexAt(bytes, at + 2, 2)
        return code === -1 ? 0 : unit(4, code)
      }
      if (letter !== 'u') {
        const plain = ESCAPED[letter] ?? (/["'\\/]/.test(letter) ? letter : '')
        return plain === '' ? 0 : unit(2, plain.charCodeAt(0))
      }
      const code = hexAt(bytes, at + 2, 4)
      if (code === -1) return 0
      const isPair = code >= 0xd800 && code < 0xdc00 && bytes.startsWith('\\u', at + 6)
      const low = isPair ? hexAt(bytes, at + 8, 4) : -1
      if (low < 0xdc00 || low > 0xdfff) return unit(6, code)
      return unit(12, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00))
    },
  },
  {
    sign: '&',
    read(bytes, at) {
      ENTITY.lastIndex = at
      const match = ENTITY.exec(bytes)
      if (match === null) return 0
      const [text, decimal, hex, name] = match
      if (name !== undefined) return unit(text.length, (NAMED[name] as string).charCodeAt(0))
      const code = Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16)
      return code > 0x10ffff ? 0 : unit(text.length, code)
    },
  },
]

/** The bytes with the units of one encoding read; null when there is none in them. */
export function decodeView(view: View, { sign, read }: Encoding): View | null {
  const { bytes } = view
  // No unit is shorter than what it stands for.
  const out = new Uint8Array(bytes.length)
  const places = new Int32Array(bytes.length + 1)
  let length = 0
  let units = 0
  const put = (byte: number, at: number) => {
    places[length] = placeOf(view, at)
    out[length++] = byte
  }
  let at = 0
  while (at < bytes.length) {
    const next = bytes.indexOf(sign, at)
    if (next === -1 && units === 0) return null
    const end = next === -1 ? bytes.length : next
    for (; at < end; at++) put(bytes.charCodeAt(at), at)
    if (next === -1) break
    const read1 = read(bytes, at)
    if (read1 === 0) {
      put(bytes.charCodeAt(at), at)
      at++
      continue
    }
    units++
    if (found.isByte || found.code < 0x80) put(found.code, at)
    else for (const byte of encodedPoint(found.code)) put(byte, at)
    at += read1
  }
  if (units === 0) return null
  places[length] = placeOf(view, bytes.length)
  return { bytes: byteText(out.subarray(0, length)), places: places.subarray(0, length + 1) }
}

/** A lone surrogate is what a text would have in its place. */
const encodedPoint = (code: number): Uint8Array =>
  utf8.encode(String.fromCodePoint(code).toWellFormed())

/** The bytes without line breaks, as some write Base64. Null when there are none. */
export function unwrapView(view: View): View | null {
  if (!/[\r\n]/.test(view.bytes)) return null
  const places = new Int32Array(view.bytes.length + 1)
  let out = ''
  let at = 0
  let length = 0
  for (const line of view.bytes.split(/([\r\n]+)/)) {
    if (!/^[\r\n]/.test(line)) {
      out += line
      for (let i = 0; i < line.length; i++) places[length++] = placeOf(view, at + i)
    }
    at += line.length
  }
  places[length] = placeOf(view, view.bytes.length)
  return { bytes: out, places: places.subarray(0, length + 1) }
}

/** White space of every kind and control characters, as bytes. */
const SPACES =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:[\0-\u0020\u007f]|\u00c2[\u0080-\u00a0]|\u00e1\u009a\u0080|\u00e2\u0080[\u0080-\u008a\u00a8\u00a9\u00af]|\u00e2\u0081\u009f|\u00e3\u0080\u0080|\u00ef\u00bb\u00bf)+/g

/** The bytes with each run of white space as one space, which is what many readers make of it. */
export function spacedView(view: View): View {
  const { bytes } = view
  const places = new Int32Array(bytes.length + 1)
  let out = ''
  let length = 0
  let at = 0
  const copy = (to: number) => {
    out += bytes.slice(at, to)
    for (; at < to; at++) places[length++] = placeOf(view, at)
  }
  for (const { index, 0: run } of bytes.matchAll(SPACES)) {
    copy(index)
    out += ' '
    places[length++] = placeOf(view, at)
    at += run.length
  }
  copy(bytes.length)
  places[length] = placeOf(view, bytes.length)
  return { bytes: out, places: places.subarray(0, length + 1) }
}
