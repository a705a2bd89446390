import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPhone } from '../../../src/rules/messaging/phone-reading.ts'

const phone = (value: string, country = 'SA') => {
  const read = readPhone(value, country)
  return read.ok ? read.value : read.reason
}

describe('a phone number', () => {
  test.each([
    ['E.164 is expected', '+966501234567'],
    ['spaces, dashes and brackets are ignored', ' +966 (50) 123-45—67 '],
    ['so are the rarer spaces and dashes of Unicode', '+966\u008550\u301c123\u05be4567'],
    ['so are invisible marks', '\u2066+966\u200f501234567\u2069'],
    ['Arabic-Indic digits are converted', '+٩٦٦٥٠١٢٣٤٥٦٧'],
    ['extended ones too', '۰۰۹۶۶۵۰۱۲۳۴۵۶۷'],
    ['00 replaces +', '00966501234567'],
    ['the country code may come without +', '966501234567'],
    ['a stray 0 after the country code is dropped', '+966 (0) 50 123 4567'],
    ['a mobile number needs no country code in its own country', '0501234567'],
    ['nor its 0', '501234567'],
  ])('%s: %s', (_, value) => expect(phone(value)).toBe('+966501234567'))

  test.each([
    ['AE', '0501234567', '+971501234567'],
    ['KW', '50012345', '+96550012345'],
    ['KW', '41012345', '+96541012345'],
    ['QA', '33123456', '+97433123456'],
    ['BH', '36001234', '+97336001234'],
    ['OM', '92123456', '+96892123456'],
    ['EG', '01001234567', '+201001234567'],
  ])('is read as a mobile number of %s: %s', (country, value, number) =>
    expect(phone(value, country)).toBe(number),
  )

  test.each([
    ['SA', '5012345678', '2501234567'],
    ['AE', '5012345678', '1501234567'],
    ['KW', '500123456', '150012345'],
    ['KW', '410123456', '141012345'],
    ['QA', '331234567', '133123456'],
    ['BH', '360012345', '136001234'],
    ['OM', '921234567', '192123456'],
    ['EG', '10012345678', '21001234567'],
  ])('is no mobile number of %s with a digit too many: %s, %s', (country, behind, before) => {
    expect(phone(behind, country)).toBe('invalid_phone')
    expect(phone(before, country)).toBe('invalid_phone')
  })

  test.each([
    ['JO', '0790123456'],
    ['US', '4155552671'],
    ['toString', '501234567'],
    ['', '501234567'],
  ])('without country code is refused elsewhere (%s)', (country, value) =>
    expect(phone(value, country)).toBe('invalid_phone'),
  )

  test.each([
    ['a landline without country code', '0112345678'],
    ['one digit short', '+96650123456'],
    ['two stray zeros', '+966 00 501234567'],
    ['a stray 0 elsewhere', '+330612345678'],
    ['a country code that begins with 0', '+0501234567'],
    ['an unassigned country code', '+839123456789'],
    ['letters', '+1 800 FLOWERS'],
    ['two numbers', '+966501234567, +966551234567'],
    ['an @lid id', '123456789012345@lid'],
    ['dots', '+966.50.123.4567'],
    ['a list', '[966501234567]'],
    ['a negative number', '-966501234567'],
    ['a negative number with spaces around', ' -966501234567 '],
    ['dashes only', '--'],
    ['a text of more than 256 characters', '+966501234567'.padEnd(257)],
    ['nothing', ''],
  ])('is refused: %s', (_, value) => expect(phone(value)).toBe('invalid_phone'))
})

test('an international number is accepted when it is valid, or in the seven countries has a mobile shape', () => {
  expect(phone('+447911123456')).toBe('+447911123456')
  expect(phone('+2250707123456')).toBe('+2250707123456')
  expect(phone('+96591234567')).toBe('+96591234567')
  expect(phone('+20223456789')).toBe('+20223456789')
  expect(phone('+96511234567')).toBe('invalid_phone')
})

const MEXICAN = ['+5215512345678', '00521 55 1234 5678', '5215512345678', '+525512345678']
test.each(MEXICAN)('A Mexican mobile is read with the 1 of WhatsApp or not: %s', (written) =>
  expect(phone(written)).toBe('+525512345678'),
)

const NOT_MEXICAN = ['521551234567', '+52155123456789']
test.each(NOT_MEXICAN)('A Mexican number with a 1 and another length is refused: %s', (written) =>
  expect(phone(written)).toBe('invalid_phone'),
)

test('a number in the form of its country that no known range has needs its prefix', () => {
  expect(phone('+962912345678')).toBe('+962912345678')
  expect(phone('00962912345678')).toBe('+962912345678')
  expect(phone('962912345678')).toBe('invalid_phone')
})

test('separators may fill a text of up to 256 characters', () => {
  expect(phone('+966501234567'.padEnd(256))).toBe('+966501234567')
})

test('a number read once reads the same again, in every country, and nothing throws', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ()٠-٩-]{0,20}$/))
  fc.assert(
    fc.property(text, fc.constantFrom('SA', 'KW', 'EG', 'US', 'x'), (value, country) => {
      const read = readPhone(value, country)
      if (!read.ok) return
      expect(read.value).toMatch(/^\+[1-9]\d{5,15}$/)
      expect(readPhone(read.value, 'OM')).toEqual(read)
    }),
    { numRuns: 2_000 },
  )
})
