import { describe, expect, test } from 'vitest'
import {
  decodeView,
  ENCODINGS,
  fromByteText,
  placeOf,
  spacedView,
  toByteText,
  unwrapView,
  type View,
} from './byte-text.ts'

const [PERCENT, BACKSLASH, ENTITY] = ENCODINGS
const view = (text: string): View => ({ bytes: toByteText(text), places: null })
/** What the units of one encoding stand for; null when there is none. */
const read = (encoding: (typeof ENCODINGS)[number] | undefined, text: string) => {
  const decoded = decodeView(view(text), encoding!)
  return decoded && fromByteText(decoded.bytes)
}
const placesOf = (seen: View | null) => [...seen!.places!]

test('a text and its bytes are turned into each other, however long', () => {
  for (const text of [
    '',
    'plain',
    'مرحبا 😀',
    '\ufeffé',
    'ab'.repeat(10_000),
    'é'.repeat(10_000),
  ]) {
    expect(fromByteText(toByteText(text))).toBe(text)
    expect(toByteText(text)).toHaveLength(Buffer.byteLength(text))
  }
})

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
  ])('%j stands for %j', (text, stands) => expect(read(PERCENT, text)).toBe(stands))
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
    // A half of a pair stands alone, and takes nothing of what follows it.
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
    ['\\a', null],
    ['\\', null],
  ])('%j stands for %j', (text, stands) => expect(read(BACKSLASH, text)).toBe(stands))
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
    ['&#xd800;', '\ufffd'],
    ['&#12345678;', null],
    ['&#65', null],
    ['&nbsp;', null],
    ['a & b', null],
    ['a & &lt;', 'a & <'],
  ])('%j stands for %j', (text, stands) => expect(read(ENTITY, text)).toBe(stands))
})

describe('Each byte knows where its unit begins in the source, and the end where the source ends', () => {
  test('in what was decoded', () => {
    expect(placesOf(decodeView(view('a%41b'), PERCENT!))).toEqual([0, 1, 4, 5])
    expect(placesOf(decodeView(view('\\u0645x'), BACKSLASH!))).toEqual([0, 0, 6, 7])
    expect(placesOf(decodeView(view('\\ud83d\\ude00'), BACKSLASH!))).toEqual([0, 0, 0, 0, 12])
    expect(placesOf(decodeView(view('%&lt;'), ENTITY!))).toEqual([0, 1, 5])
    expect(placesOf(decodeView(view('% %41'), PERCENT!))).toEqual([0, 1, 2, 5])
  })

  test('in what was decoded twice', () => {
    const once = decodeView(view('x%2541y'), PERCENT!)!
    const twice = decodeView(once, PERCENT!)!
    expect(twice.bytes).toBe('xAy')
    expect(placesOf(twice)).toEqual([0, 1, 6, 7])
    expect([0, 1, 2, 3].map((at) => placeOf(twice, at))).toEqual([0, 1, 6, 7])
    expect(placeOf(view('abc'), 2)).toBe(2)
  })

  test('without line breaks', () => {
    const unwrapped = unwrapView(view('ab\r\nc\n\nd\n'))!
    expect(unwrapped.bytes).toBe('abcd')
    expect(placesOf(unwrapped)).toEqual([0, 1, 4, 7, 9])
    expect(unwrapView(view('abcd'))).toBe(null)
  })

  test('with each run of white space as one space', () => {
    const spaced = spacedView(view('a \t\nb\u00a0c'))
    expect(spaced.bytes).toBe('a b c')
    expect(placesOf(spaced)).toEqual([0, 1, 4, 5, 7, 8])
  })
})

test.each([
  '\0',
  '	',
  '\n',
  '',
  ' ',
  '',
  '\xA0',
  ' ',
  ' ',
  ' ',
  '\u2028',
  '\u2029',
  ' ',
  ' ',
  '　',
  '﻿',
])('%j is white space', (space) => {
  expect(spacedView(view(`a${space}${space}b`)).bytes).toBe('a b')
})

test.each(['-', '_', '\u00a1', 'é', '\u200b', 'م'])('%j is not', (letter) => {
  expect(fromByteText(spacedView(view(`a${letter}b`)).bytes)).toBe(`a${letter}b`)
})
