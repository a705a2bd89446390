import { describe, expect, test } from 'vitest'
import {
  ESCAPES,
  QUOTED_PRINTABLE,
  readSigns,
  type SignEncoding,
} from '../../src/infra/redaction/sign-encodings.ts'
import { viewWithPositions, viewOfTexts } from '../../src/infra/redaction/view.ts'

/** Returns the decoded units of one encoding; null when there is none. */
const read = (encoding: SignEncoding, text: string) => {
  const [decoded] = readSigns(viewWithPositions(text), encoding)
  return decoded ? Buffer.from(decoded.bytes).toString() : null
}
const placesOf = (text: string, ...encodings: SignEncoding[]) => {
  let view = viewWithPositions(text)
  for (const encoding of encodings) view = readSigns(view, encoding)[0]!
  return [...view.positions!].slice(0, view.bytes.length + 1)
}

describe('A percent sign', () => {
  test.each([
    ['a%41b', 'aAb'],
    ['%d9%85', 'م'],
    ['%D9%85', 'م'],
    ['%4', null],
    ['%4g', null],
    ['%g4', null],
    ['100%', null],
    ['%%41', '%A'],
    ['%00', '\0'],
    ['%ff', '\ufffd'],
    ['%2541', '%41'],
    ['%u0041%u0645', 'Aم'],
    ['%u004', null],
  ])('%j stands for %j', (text, stands) => expect(read(ESCAPES, text)).toBe(stands))
})

describe('A backslash', () => {
  test.each([
    ['\\u0041', 'A'],
    ['\\u00E9', 'é'],
    ['\\u0645x', 'مx'],
    ['\\u007f', '\u007f'],
    ['\\u0080', '\u0080'],
    ['\\udc00\\udc00', '\ufffd\ufffd'],
    ['\\ud83d\\ude00!', '😀!'],
    ['\\uD83D\\uDE00', '😀'],
    ['\\udbff\\udfff', '\u{10ffff}'],
    ['\\ud800\\udc00', '\u{10000}'],
    // Half of a surrogate pair is decoded alone, and takes nothing of the text after it.
    ['\\ud83d', '\ufffd'],
    ['\\ud83dx', '\ufffdx'],
    ['\\ud83d\\u0041', '\ufffdA'],
    ['\\ude00\\ud83d', '\ufffd\ufffd'],
    ['\\ud83d\\ud83d', '\ufffd\ufffd'],
    ['\\ud7ff\\udc00', '\ud7ff\ufffd'],
    ['\\ud83d\\n', '\ufffd\n'],
    ['\\ud83d\\ue000', '\ufffd\ue000'],
    ['\\u004', null],
    ['\\u00g1', null],
    ['\\x41', 'A'],
    ['\\xe9!', 'é!'],
    ['\\x4', null],
    ['\\xg4', null],
    ['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
    ['\\"\\\'\\\\\\/', '"\'\\/'],
    ['\\\\u0041', '\\u0041'],
    ['\\u{41}\\u{1f600}', 'A😀'],
    ['\\u{110000}', null],
    ['\\u{41', null],
    ['\\a', null],
    ['\\101\\0418', 'A!8'],
    ['\\10', null],
    ['\\400', null],
    ['\\189', null],
    ['\\U00000041\\U0001f600', 'A😀'],
    ['\\U00110000', null],
    ['\\x{41}', 'A'],
    ['\\', null],
  ])('%j stands for %j', (text, stands) => expect(read(ESCAPES, text)).toBe(stands))
})

describe('An ampersand', () => {
  test.each([
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&#65;', 'A'],
    ['&#x41;', 'A'],
    ['&#X41;', 'A'],
    ['&#127;&#128;', '\u007f\u0080'],
    ['&#1605;', 'م'],
    ['&#x1F600;', '😀'],
    ['&#1114111;', '\u{10ffff}'],
    ['&#1114112;', null],
    ['&#x10ffff;', '\u{10ffff}'],
    ['&#x00000000041;&#0000000065;', 'AA'],
    ['&#000;', '\0'],
    ['&#xd800;', '\ufffd'],
    ['&#x110000;', null],
    ['&#65', 'A'],
    ['&#65 b', 'A b'],
    ['&#65%20', '&#65 '],
    ['&#65=\n7;', null],
    ['&#65=7', 'A=7'],
    ['&nbsp;', '\u00a0'],
    ['&lowbar;&sol;&plus;', '_/+'],
    ['&bogus;', null],
    ['&#;', null],
    ['&#x;', null],
    ['a & b', null],
    ['a & &lt;', 'a & <'],
  ])('%j stands for %j', (text, stands) => expect(read(ESCAPES, text)).toBe(stands))
})

describe('An equals sign', () => {
  test.each([
    ['=D9=85', 'م'],
    ['=3d', '='],
    ['a=\r\nb=\nc', 'abc'],
    ['a=b', null],
    ['a=', null],
    ['a=\rb', null],
  ])('%j stands for %j', (text, stands) => expect(read(QUOTED_PRINTABLE, text)).toBe(stands))
})

test('Each byte knows where its unit begins in the source, and the end where the source ends', () => {
  expect(placesOf('a%41b', ESCAPES)).toEqual([0, 1, 4, 5])
  expect(placesOf('\\u0645x', ESCAPES)).toEqual([0, 0, 6, 7])
  expect(placesOf('\\ud83d\\ude00', ESCAPES)).toEqual([0, 0, 0, 0, 12])
  expect(placesOf('%&lt;', ESCAPES)).toEqual([0, 1, 5])
  expect(placesOf('% %41', ESCAPES)).toEqual([0, 1, 2, 5])
  expect(placesOf('a=\nb', QUOTED_PRINTABLE)).toEqual([0, 3, 4])
  expect(placesOf('x%2541y', ESCAPES, ESCAPES)).toEqual([0, 1, 6, 7])
})

test('Only texts with units of the encoding are read, each alone', () => {
  const [view] = readSigns(viewOfTexts(['a%4', '1%41', 'none', '%42']), ESCAPES)
  expect(view).toMatchObject({ starts: [0, 3], origins: [1, 3], positions: null, depth: 1 })
  expect(Buffer.from(view!.bytes).toString('latin1')).toBe('1A\u00ffB')
})
