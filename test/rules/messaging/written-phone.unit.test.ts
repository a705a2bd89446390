import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALLING_CODES, COUNTRIES, type Country } from '../../../src/core/vocabulary/countries.ts'
import {
  hasCountryPrefix,
  readPhone,
  readTypedPhone,
} from '../../../src/rules/messaging/phone-reading.ts'

const written = (value: string, country: Country | null) => {
  const read = readTypedPhone(value, country)
  return read.ok ? read.value : null
}

test('The countries and their calling codes are those of the numbering plans', () => {
  expect(COUNTRIES).toEqual(getCountries().toSorted())
  expect(CALLING_CODES).toEqual(
    Object.fromEntries(COUNTRIES.map((country) => [country, getCountryCallingCode(country)])),
  )
})

test.each<[string, Country, string]>([
  ['0501112233', 'SA', '+966501112233'],
  ['501112233', 'SA', '+966501112233'],
  ['٠٥٠ ١١١ ٢٢٣٣', 'SA', '+966501112233'],
  ['050.111.2233', 'SA', '+966501112233'],
  ['050/111/2233', 'SA', '+966501112233'],
  ['tel:0501112233', 'SA', '+966501112233'],
  ['0501112233', 'AE', '+971501112233'],
  ['011 234 5678', 'SA', '+966112345678'],
  ['011 200 3004', 'SA', '+966112003004'],
  ['07911 123456', 'GB', '+447911123456'],
  ['(201) 234-5678', 'US', '+12012345678'],
  ['11 98765-4321', 'BR', '+5511987654321'],
  ['0151 12345678', 'DE', '+4915112345678'],
  ['347 123 4567', 'IT', '+393471234567'],
  ['011 966 50 111 2233', 'US', '+966501112233'],
])('A number without its country code belongs to the given country: %s in %s', (...row) => {
  const [value, country, number] = row
  expect(written(value, country)).toBe(number)
})

test.each([
  ['+966 11 200 3004', true],
  ['00966112003004', true],
  ['011 200 3004', false],
  ['no number', false],
])('%s announces its country code: %s', (value, isAnnounced) => {
  expect(hasCountryPrefix(value)).toBe(isAnnounced)
})

test.each<[string, Country | null, string]>([
  ['+971501112233', 'SA', '+971501112233'],
  ['00971501112233', 'SA', '+971501112233'],
  ['971501112233', 'SA', '+971501112233'],
  ['966501112233', 'SA', '+966501112233'],
  ['5215512345678', 'MX', '+525512345678'],
  ['+495211234567890', 'DE', '+495211234567890'],
  ['tel:+966-50-111-2233', null, '+966501112233'],
  ['966501112233', null, '+966501112233'],
])(
  'A number with its country code belongs to that country: %s with %s',
  (value, country, number) => {
    expect(written(value, country)).toBe(number)
  },
)

test.each<[string, Country | null]>([
  ['0501112233', null],
  ['501112233', null],
  ['0501112233', 'KW'],
  ['12345', 'SA'],
  ['0501112233 / 0551112233', 'SA'],
  ['966501230031.0', 'SA'],
  ['5000123.0', 'KW'],
  ['+330612345678', 'FR'],
  ['call me', 'SA'],
  ['1'.repeat(300), 'SA'],
])('A text that is no number of the country is refused: %s in %s', (value, country) => {
  expect(written(value, country)).toBeNull()
})

test('A number with its country code is never another one because of the given country', () => {
  const text = fc.stringMatching(/^(\+|00)[0-9 ]{6,16}$/)
  fc.assert(
    fc.property(text, fc.constantFrom(...COUNTRIES), (value, country) => {
      expect(readTypedPhone(value, country)).toEqual(readPhone(value, ''))
    }),
  )
})
