/** The ways in which a server may write a credential into an answer: each one, and each within each other. */
import { describe, expect, test } from 'vitest'
import { createRedactor, REMOVED } from '../../src/infra/redaction/redactor.ts'

type Write = (text: string) => string
type Answer = { debug: string; status: string }

const bytesOf = (text: string): number[] => [...Buffer.from(text)]
const hexOf = (value: number, digits = 2) => value.toString(16).padStart(digits, '0')
const base64: Write = (text) => Buffer.from(text).toString('base64')
const inLines =
  (joint: string): Write =>
  (text) =>
    base64(text).replace(/.{12}/g, `$&${joint}`)
const bytes =
  (write: (byte: number) => string, joint = ''): Write =>
  (text) =>
    bytesOf(text).map(write).join(joint)
const characters =
  (write: (point: number) => string): Write =>
  (text) =>
    Array.from(text, (character) => write(character.codePointAt(0)!)).join('')
const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '/': '&#x2F;',
  '+': '&plus;',
}
const escapeHtml: Write = (text) => text.replace(/[&<>"/+]/g, (sign) => HTML[sign]!)
const quotedPrintable =
  (end: string): Write =>
  (text) =>
    bytesOf(text)
      .map((byte, at) => {
        const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x3d
        const unit = isPlain ? String.fromCharCode(byte) : `=${hexOf(byte).toUpperCase()}`
        return at % 9 === 8 ? `${unit}=${end}` : unit
      })
      .join('')

const FORMS: Readonly<Record<string, Write>> = {
  'percent signs': encodeURIComponent,
  'percent signs of small digits': (text) =>
    encodeURIComponent(text).replace(/%../g, (unit) => unit.toLowerCase()),
  'percent signs for each byte': bytes((byte) => `%${hexOf(byte).toUpperCase()}`),
  'percent signs for some bytes': (text) =>
    bytesOf(text)
      .map((byte, at) =>
        at % 2 === 1 && byte < 0x80 ? String.fromCharCode(byte) : `%${hexOf(byte)}`,
      )
      .join(''),
  'percent signs of UTF-16': characters((point) => `%u${hexOf(point, 4)}`),
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  JSON: (text) => JSON.stringify({ a: text }),
  'JSON in JSON': (text) => JSON.stringify({ a: JSON.stringify({ b: text }) }),
  'UTF-16 escapes': characters((point) => `\\u${hexOf(point, 4)}`),
  'UTF-16 escapes in capitals': characters((point) => `\\u${hexOf(point, 4).toUpperCase()}`),
  'escapes of bytes': bytes((byte) => `\\x${hexOf(byte)}`),
  'escapes in braces': characters((point) => `\\u{${point.toString(16)}}`),
  'escapes of eight digits': characters((point) => `\\U${hexOf(point, 8)}`),
  'octal escapes': bytes((byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  HTML: escapeHtml,
  'decimal entities': characters((point) => `&#${point};`),
  'hexadecimal entities': characters((point) => `&#x${point.toString(16)};`),
  'hexadecimal entities in capitals': characters((point) => `&#X${hexOf(point).toUpperCase()};`),
  'entities with zeros': characters((point) => `&#x${hexOf(point, 12)};`),
  'entities without an end': characters((point) => `&#${point}`),
  Base64: base64,
  'Base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'Base64 in lines': inLines('\n'),
  'Base64 in lines of a mail': inLines('\r\n'),
  'Base64 in escaped lines': inLines('\\n'),
  hexadecimal: bytes((byte) => hexOf(byte)),
  'hexadecimal in capitals': bytes((byte) => hexOf(byte).toUpperCase()),
  'hexadecimal with colons': bytes((byte) => hexOf(byte), ':'),
  'hexadecimal with hyphens': bytes((byte) => hexOf(byte), '-'),
  'quoted-printable': quotedPrintable('\r\n'),
  'quoted-printable of LF lines': quotedPrintable('\n'),
  'quoted-printable for each byte': bytes((byte) => `=${hexOf(byte)}`),
  'a list of bytes': (text) => JSON.stringify(bytesOf(text)),
  'a list of signed bytes': (text) => JSON.stringify([...new Int8Array(Buffer.from(text))]),
  'a word of a mail header': (text) => `=?UTF-8?B?${base64(text)}?=`,
  'a text of PHP': (text) => `s:${Buffer.byteLength(text)}:"${text}";`,
  CDATA: (text) => `<![CDATA[${text}]]>`,
  'a URL in HTML in JSON': (text) =>
    JSON.stringify({
      a: `<a href="https://x.example/?k=${escapeHtml(encodeURIComponent(text))}">x</a>`,
    }),
}
const NAMES = Object.keys(FORMS)

const TOKEN = 'tok_9fQ2/x+Lm7Rz-sZ4'
const PASSWORD = 'pä ss&w"rd=7/x'
const PAIR = base64(`shop:${PASSWORD}`)
const HARMLESS = 'order A-1043 / 2 + 1 = "3"; <b>شحن</b>'

describe('A credential within one form and another is removed, and other text comes through', () => {
  const redactor = createRedactor([TOKEN, PASSWORD, PAIR, PAIR.replace(/=+$/, '')])

  test.each(NAMES)('%s, alone and within each other form', (inner) => {
    const write = FORMS[inner]!
    for (const secret of [TOKEN, PASSWORD, `Basic ${PAIR}`]) {
      expect(redactor.text(`{"debug":"${write(secret)}","ok":1}`)).toContain(REMOVED)
    }
    const outers = NAMES.map((outer) => ({ outer, form: FORMS[outer]!(`k: ${write(TOKEN)} ;`) }))
    const shown = outers.filter(({ form }) => {
      const left = redactor.text(`x ${form} y`)
      const { debug, status } = redactor.json({ debug: form, status: 'shipped' }) as Answer
      const isRemoved = [left, debug].every((one) => one.includes(REMOVED) && !one.includes(form))
      return !isRemoved || status !== 'shipped'
    })
    expect(shown).toEqual([])
    const others = NAMES.map((outer) => `x ${FORMS[outer]!(`k: ${write(HARMLESS)} ;`)} y`)
    expect(others.map((text) => redactor.text(text))).toEqual(others)
  })
})
