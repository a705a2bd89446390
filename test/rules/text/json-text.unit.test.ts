import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cleanText,
  compactJson,
  countCodePoints,
  cutCodePoints,
  indentedJson,
  readJson,
  type JsonValue,
} from '../../../src/rules/text/json-text.ts'
import { systemTest } from '../../support/system-tests.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (input: string | Uint8Array) => {
  const result = readJson(input)
  return result.ok ? compactJson(result.value) : result.reason
}

const valueOf = (text: string): JsonValue => {
  const result = readJson(text)
  if (!result.ok) throw new Error(result.reason)
  return result.value
}

describe('Untrusted JSON', () => {
  test('is UTF-8 with an optional byte order mark', () => {
    expect(read(bytes('{"اسم":"سارة"}'))).toBe('{"اسم":"سارة"}')
    expect(read(bytes('\ufeff{"a":1}'))).toBe('{"a":1}')
    expect(read('\ufeff{"a":1}')).toBe('{"a":1}')
    expect(read(new Uint8Array([0x22, 0xff, 0x22]))).toBe('not_utf8')
    expect(read(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('not_utf8')
    expect(read(new Uint8Array([0x22, 0xc0, 0x80, 0x22]))).toBe('not_utf8')
  })

  const BROKEN = ['{"a":1,}', "{'a':1}", 'NaN', '01', '{"a":1}\0', '{}{}', '\ufeff\ufeff{}', '[']
  test.each(['', '   ', ...BROKEN])('%j is not JSON', (text) =>
    expect(read(bytes(text))).toBe('not_json'),
  )

  test('a top-level scalar is refused where an object or list is needed', () => {
    for (const text of ['1', '"a"', 'null', 'true', '12345678901234567890']) {
      expect(readJson(text).ok).toBe(true)
      const refused = readJson(text, { mustBeContainer: true })
      expect(refused).toEqual({ ok: false, reason: 'not_a_container' })
    }
    expect(readJson('[]', { mustBeContainer: true }).ok).toBe(true)
  })

  test('the last of repeated keys wins', () => {
    expect(read('{"a":1,"a":{"b":2},"a":3}')).toBe('{"a":3}')
    expect(read('{"a":12345678901234567890,"a":"x"}')).toBe('{"a":"x"}')
    expect(read('{"a":"x","a":12345678901234567890}')).toBe('{"a":12345678901234567890}')
  })

  const WRITTEN =
    '49.90 1.0 0.0 -0 -0.0 1e3 1E+3 -2.50e-7 1e400 0.0000001 100 0.1 125.5 -7 0.1234567890123456789 12345678901234567890.5'
  test.each([...WRITTEN.split(' '), '9'.repeat(40)])(
    'a number stays as it is written: %s',
    (text) =>
      expect([text, `[${text}]`, `{"a":${text}}`, `{"a":[{"b":${text}}]}`].map(read)).toEqual([
        text,
        `[${text}]`,
        `{"a":${text}}`,
        `{"a":[{"b":${text}}]}`,
      ]),
  )

  const NUMBERS_THAT_ARE_NONE = [
    '01.0',
    '1.',
    '.50',
    '+1.0',
    '1.0.0',
    '--1.0',
    '1e',
    '1.0e',
    '1.0e+',
  ]
  const OUT_OF_PLACE = ['{1.0:2}', '{"a":1,1.0 :2}', '{"a" 1.0}', '[1.0"a"]', '[1.0 1.0]', '1.0a']
  test.each([...NUMBERS_THAT_ARE_NONE.map((text) => `[${text}]`), ...OUT_OF_PLACE])(
    '%s is not JSON',
    (text) => expect(read(text)).toBe('not_json'),
  )

  test('a text is never read as a number, whatever it begins with', () => {
    const del = '\u007f'
    for (const text of [`${del}1.0`, `${del}${del}2.50`, '\\u007f1.0', `\\u007F${del}1.0`, '1.0']) {
      const value = valueOf(`["${text}",1.0,{"k${del}":"${text}"}]`)
      const same = JSON.stringify(JSON.parse(`"${text}"`))
      expect(compactJson(value)).toBe(`[${same},1.0,{"k${del}":${same}}]`)
      // The same holds for a name, and where there is no number to keep.
      expect(valueOf(`{"${text}":[1.0],"a":"${text}"}`)).toHaveProperty([JSON.parse(`"${text}"`)])
      expect(valueOf(`["${text}"]`)).toEqual([JSON.parse(`"${text}"`)])
    }
  })

  const BEYOND = ['9007199254740993', '-9007199254740993', '9007199254740992']
  test.each([
    ...BEYOND,
    '99999999999999999999',
    '[9007199254740992,-12345678901234567890,9007199254740991]',
    '[1,9007199254740993,{"a":-9007199254740993,"b":"9007199254740993"}]',
    '{"9007199254740993":9007199254740991}',
    '{"__proto__":12345678901234567890}',
    '"12345678901234567890 \\" 12345678901234567890"',
  ])('all digits stay: %s', (text) => expect(read(text)).toBe(text))

  test('numbers and texts never change positions', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/)
    const value = fc.oneof(
      number.map((digits) => ({ json: digits, is: digits })),
      number.map((digits) => ({ json: `"${digits}"`, is: `"${digits}"` })),
    )
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const text = `[${values.map(({ json }) => json).join(' , ')}]`
        expect(read(text)).toBe(`[${values.map(({ is }) => is).join(',')}]`)
      }),
    )
  })

  systemTest('no depth of nesting throws, with and without large numbers', () => {
    for (const inner of ['', '1', '12345678901234567890']) {
      const deep = `${'['.repeat(130_000)}${inner}${']'.repeat(130_000)}`
      expect(read(deep)).toBe(deep)
      const keys = `${'{"a":'.repeat(40_000)}${inner || 'null'}${'}'.repeat(40_000)}`
      expect(read(keys)).toBe(keys)
    }
    expect(read('['.repeat(262_144))).toBe('not_json')
  })
})

test('compact JSON is what JSON.stringify writes, for every ordinary value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const text = JSON.stringify(json)
      // A text that has to be cleaned is not ordinary.
      fc.pre(!/\\u(0000|d[89a-f])/.test(text))
      const value = valueOf(text)
      expect(compactJson(value)).toBe(text)
      expect(indentedJson(value)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    }),
  )
})

test('NUL and lone surrogates become U+FFFD, in texts, keys and compact JSON', () => {
  expect(cleanText('a\0b\ud800c😀')).toBe('a\ufffdb\ufffdc😀')
  expect(cleanText('سارة')).toBe('سارة')
  expect(read('{"k\\u0000":"\\udc00"}')).toBe('{"k\ufffd":"\ufffd"}')
})

test('a text is cut between code points', () => {
  expect(cutCodePoints('😀😀😀', 2)).toBe('😀😀')
  expect(cutCodePoints('ab', 5)).toBe('ab')
  expect(cutCodePoints('', 5)).toBe('')
  expect(countCodePoints('a😀م')).toBe(3)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, count) => {
      expect(cutCodePoints(text, count)).toBe([...text].slice(0, count).join(''))
      expect(countCodePoints(text)).toBe([...text].length)
    }),
  )
})
