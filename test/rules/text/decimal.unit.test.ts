import { describe, expect, test } from 'vitest'
import {
  compareDecimals,
  isSameNumber,
  plainDecimal,
  readDecimal,
} from '../../../src/rules/text/decimal.ts'

const NINES = '9'.repeat(40)

describe('Numbers of any length', () => {
  test.each([
    ['49.90', '49.9', 0],
    ['1e3', '1000', 0],
    ['0', '-0.00', 0],
    ['1e400', '9e399', 1],
    ['1e-400', '0', 1],
    ['-1e400', '1', -1],
    ['-2', '-3', 1],
    [NINES, `${NINES}.0`, 0],
    [`${NINES}.1`, NINES, 1],
    ['9007199254740993', '9007199254740992', 1],
    ['0.1', '0.09', 1],
    ['12', '2', 1],
    ['007', '7', 0],
  ])('are compared: %s with %s', (one, two, order) => {
    const compare = (a: string, b: string) =>
      Math.sign(compareDecimals(readDecimal(a)!, readDecimal(b)!)) + 0
    expect(compare(one, two)).toBe(order)
    expect(compare(two, one)).toBe(0 - order)
  })

  const NO_DECIMALS = ['', '.5', '5.', '1,000', '1e', '٥', '1e9999999999999999', '0x10']
  test.each(NO_DECIMALS)('do not include %j', (text) => expect(readDecimal(text)).toBeNull())

  test('are the same only when both are valid JSON numbers', () => {
    expect(isSameNumber('49.90', '4.99e1')).toBe(true)
    expect(isSameNumber('007', '7')).toBe(false)
    expect(isSameNumber('+7', '7')).toBe(false)
    expect(isSameNumber('A-1', 'A-1.0')).toBe(false)
  })

  test.each([
    ['9.66501234567e11', '966501234567'],
    ['966501234567.0', '966501234567'],
    ['-2.50e-3', '-0.0025'],
    ['1200e-2', '12'],
    ['9.50', '9.5'],
    ['0.5', '0.5'],
    ['0.05', '0.05'],
    ['-0.0', '0'],
    ['1e99', `1${'0'.repeat(99)}`],
    ['1e100', null],
    ['1e-101', null],
    ['words', null],
  ])('are written out: %s as %s', (text, plain) => expect(plainDecimal(text)).toBe(plain))
})
