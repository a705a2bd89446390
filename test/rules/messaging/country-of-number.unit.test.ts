import { describe, expect, test } from 'vitest'
import { countryOfNumber, isCountry } from '../../../src/rules/messaging/country-of-number.ts'

describe('the country of a business’s number', () => {
  test.each([
    ['966512345678', 'SA'],
    ['966500000000', 'SA'],
    ['971501234567', 'AE'],
    ['201001234567', 'EG'],
    ['12025550143', 'US'],
    ['14165550143', 'CA'],
    ['999000000000', null],
    ['1', null],
  ])('%s is of %s', (digits, country) => expect(countryOfNumber(digits)).toBe(country))

  test('is named by two capital letters', () => {
    expect(['SA', 'EG', 'sa', 'XX', 'KSA', ''].filter(isCountry)).toEqual(['SA', 'EG'])
  })
})
