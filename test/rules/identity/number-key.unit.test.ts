import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberKey } from '../../../src/rules/identity/number-key.ts'

test.each([
  ['a Brazilian mobile without its 9', '553188888802', '5531988888802'],
  ['a Brazilian mobile that begins with 6', '551161234567', '5511961234567'],
  ['a Mexican mobile with its 1', '5215512345678', '525512345678'],
  ['an Argentinian mobile without its 9', '541123456789', '5491123456789'],
])('The key of %s is that of its other form.', (_, digits, other) => {
  expect(numberKey(digits)).toBe(numberKey(other))
  expect(numberKey(digits)).toBe(other)
})

test.each([
  ['a Brazilian landline', '553132345678'],
  ['a Brazilian number that begins with 5', '553158888802'],
  ['a Brazilian number with a digit too few', '55318888880'],
  ['a Mexican number without its 1', '525512345678'],
  ['a Mexican number with a digit too few', '521551234567'],
  ['a Mexican number with a digit too many', '52155123456789'],
  ['an Argentinian number with a digit too few', '54112345678'],
  ['an Argentinian number with a digit too many', '5491123456789'],
  ['a Saudi number', '966501112233'],
  ['a number whose later digits look like a form', '966553188888802'],
])('The key of %s is its digits.', (_, digits) => {
  expect(numberKey(digits)).toBe(digits)
})

test('Two lines of one country have two keys.', () => {
  expect(numberKey('553188888802')).not.toBe(numberKey('5531988888803'))
  expect(numberKey('5215512345678')).not.toBe(numberKey('525512345679'))
})

test('The key of a key is itself.', () => {
  const digits = fc.stringMatching(/^(55|52|54|966)[0-9]{8,12}$/)
  fc.assert(
    fc.property(digits, (value) => {
      expect(numberKey(numberKey(value))).toBe(numberKey(value))
    }),
  )
})
